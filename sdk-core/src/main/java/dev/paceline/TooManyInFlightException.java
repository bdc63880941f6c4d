package dev.paceline;

import dev.paceline.event.RefusalReason;
import java.time.Duration;

/** As many calls as may be in flight were, for as long as the call could wait. */
public final class TooManyInFlightException extends PacelineException {

  /**
   * A refusal.
   *
   * @param group the schedule, as {@code upstream/owner/rule}
   * @param retryAfter zero: nobody knows when calls end
   * @param message which limit, whose key, how long, what to do
   */
  public TooManyInFlightException(String group, Duration retryAfter, String message) {
    super(RefusalReason.IN_FLIGHT, group, retryAfter, message);
  }
}
