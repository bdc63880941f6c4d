package dev.paceline;

import dev.paceline.event.RefusalReason;
import java.time.Duration;

/** The shared store is away, and the upstream is configured to refuse calls then. */
public final class StoreClosedException extends PacelineException {

  /**
   * A refusal.
   *
   * @param group the schedule, as {@code upstream/owner/rule}
   * @param retryAfter the wait that it would take; zero if unknown
   * @param message which limit, whose key, how long, what to do
   */
  public StoreClosedException(String group, Duration retryAfter, String message) {
    super(RefusalReason.STORE_CLOSED, group, retryAfter, message);
  }
}
