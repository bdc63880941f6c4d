package dev.paceline.retry;

import java.time.Duration;
import java.util.Optional;

/** What to do with the outcome of an attempt. */
public sealed interface Verdict {

  /**
   * The outcome goes to the caller, untouched.
   *
   * @param why why there is no further attempt
   * @param providerWait the wait that the provider asked for, if it did and there was no success
   */
  record Deliver(StopReason why, Optional<Duration> providerWait) implements Verdict {
    static final Deliver SUCCESS = new Deliver(StopReason.SUCCESS, Optional.empty());
  }

  /**
   * The outcome is dropped and the request goes out again.
   *
   * @param delayNanos the next permit must not start earlier than this from now
   * @param providerWait the wait that the provider asked for; never more than the delay
   */
  record Retry(long delayNanos, Optional<Duration> providerWait) implements Verdict {}
}
