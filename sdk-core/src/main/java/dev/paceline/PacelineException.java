package dev.paceline;

import dev.paceline.event.RefusalReason;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * A call that was not sent. An {@link IOException}, so that it passes through HTTP clients as any
 * failed call does. Nothing was sent and nothing stays charged.
 */
public sealed class PacelineException extends IOException
    permits CircuitRefusedException,
        CostTooHighException,
        PacelineClosedException,
        QueueFullException,
        QuotaExhaustedException,
        StoreClosedException,
        TooManyInFlightException,
        WaitCancelledException,
        WaitTooLongException {

  private final RefusalReason reason;
  private final String group;
  private final Duration retryAfter;

  PacelineException(RefusalReason reason, String group, Duration retryAfter, String message) {
    super(message);
    this.reason = reason;
    this.group = group;
    this.retryAfter = retryAfter;
  }

  /** Why the call was not sent. */
  public RefusalReason reason() {
    return reason;
  }

  /** The schedule that refused, as {@code upstream/owner/rule}. */
  public String group() {
    return group;
  }

  /**
   * After how long the same call could be sent, as far as known now; empty for never or unknown.
   */
  public Optional<Duration> retryAfter() {
    return retryAfter.isNegative() || retryAfter.isZero()
        ? Optional.empty()
        : Optional.of(retryAfter);
  }
}
