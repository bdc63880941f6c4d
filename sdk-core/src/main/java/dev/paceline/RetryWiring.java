package dev.paceline;

import dev.paceline.feedback.Profile;
import dev.paceline.retry.RetryPolicy;
import dev.paceline.retry.RetryRules;
import dev.paceline.retry.UpstreamBreaker;
import dev.paceline.retry.UpstreamRetries;
import dev.paceline.time.TimeSource;
import java.time.Duration;
import java.util.Optional;

/** Puts together what the calls of an upstream share for their retries. */
final class RetryWiring {

  /** The settings of a circuit breaker. */
  record Breaker(int failures, int outOf, Duration openFor) {}

  private RetryWiring() {}

  static UpstreamRetries of(
      String upstream,
      RetryPolicy policy,
      Optional<Profile> profile,
      Optional<Breaker> breaker,
      TimeSource time) {
    return new UpstreamRetries(
        policy,
        profile.map(RetryRules::of).orElseGet(RetryRules::standard),
        policy.newBudget(time::nanoTime),
        breaker.map(
            b ->
                UpstreamBreaker.create(
                    upstream, b.failures(), b.outOf(), b.openFor(), time::nanoTime)));
  }
}
