package dev.paceline;

import dev.paceline.event.RefusalReason;
import java.time.Duration;

/** Paceline was closed while the call waited, or before. */
public final class PacelineClosedException extends PacelineException {

  /**
   * A refusal.
   *
   * @param group the schedule, as {@code upstream/owner/rule}
   * @param retryAfter the wait that it would take; zero if unknown
   * @param message which limit, whose key, how long, what to do
   */
  public PacelineClosedException(String group, Duration retryAfter, String message) {
    super(RefusalReason.CLOSED, group, retryAfter, message);
  }
}
