package dev.paceline;

import dev.paceline.event.RefusalReason;
import java.time.Duration;

/** The provider says that a quota of a day or a plan is spent. Not retried. */
public final class QuotaExhaustedException extends PacelineException {

  /**
   * A refusal.
   *
   * @param group the schedule, as {@code upstream/owner/rule}
   * @param retryAfter the wait that it would take; zero if unknown
   * @param message which limit, whose key, how long, what to do
   */
  public QuotaExhaustedException(String group, Duration retryAfter, String message) {
    super(RefusalReason.QUOTA_EXHAUSTED, group, retryAfter, message);
  }
}
