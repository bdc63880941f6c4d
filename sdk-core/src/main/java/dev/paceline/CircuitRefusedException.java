package dev.paceline;

import dev.paceline.event.RefusalReason;
import java.time.Duration;

/** The upstream's circuit breaker is open. */
public final class CircuitRefusedException extends PacelineException {

  /**
   * A refusal.
   *
   * @param group the schedule, as {@code upstream/owner/rule}
   * @param retryAfter the wait that it would take; zero if unknown
   * @param message which limit, whose key, how long, what to do
   */
  public CircuitRefusedException(String group, Duration retryAfter, String message) {
    super(RefusalReason.CIRCUIT_OPEN, group, retryAfter, message);
  }
}
