package dev.paceline;

import dev.paceline.event.RefusalReason;
import java.time.Duration;

/** The caller cancelled its wait. */
public final class WaitCancelledException extends PacelineException {

  /**
   * A refusal.
   *
   * @param group the schedule, as {@code upstream/owner/rule}
   * @param retryAfter the wait that it would take; zero if unknown
   * @param message which limit, whose key, how long, what to do
   */
  public WaitCancelledException(String group, Duration retryAfter, String message) {
    super(RefusalReason.CANCELLED, group, retryAfter, message);
  }
}
