package dev.paceline;

import dev.paceline.event.RefusalReason;
import java.time.Duration;

/** The permit, or what the provider asks to wait, comes after the deadline of the call. */
public final class WaitTooLongException extends PacelineException {

  /**
   * A refusal.
   *
   * @param group the schedule, as {@code upstream/owner/rule}
   * @param retryAfter the wait that it would take; zero if unknown
   * @param message which limit, whose key, how long, what to do
   */
  public WaitTooLongException(String group, Duration retryAfter, String message) {
    super(RefusalReason.DEADLINE, group, retryAfter, message);
  }
}
