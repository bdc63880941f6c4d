package dev.paceline;

import dev.paceline.event.RefusalReason;
import java.time.Duration;

/** As many callers wait already as are allowed to. */
public final class QueueFullException extends PacelineException {

  /**
   * A refusal.
   *
   * @param group the schedule, as {@code upstream/owner/rule}
   * @param retryAfter the wait that it would take; zero if unknown
   * @param message which limit, whose key, how long, what to do
   */
  public QueueFullException(String group, Duration retryAfter, String message) {
    super(RefusalReason.QUEUE_FULL, group, retryAfter, message);
  }
}
