package dev.paceline;

import dev.paceline.event.RefusalReason;
import java.time.Duration;

/** The call costs more than its limit can ever grant at once. */
public final class CostTooHighException extends PacelineException {

  /**
   * A refusal.
   *
   * @param group the schedule, as {@code upstream/owner/rule}
   * @param retryAfter the wait that it would take; zero if unknown
   * @param message which limit, whose key, how long, what to do
   */
  public CostTooHighException(String group, Duration retryAfter, String message) {
    super(RefusalReason.NEVER, group, retryAfter, message);
  }
}
