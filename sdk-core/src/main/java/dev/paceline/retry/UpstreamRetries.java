package dev.paceline.retry;

import java.util.Optional;

/**
 * What the calls to one upstream share.
 *
 * @param policy how often, how late
 * @param rules which outcomes
 * @param budget at whose expense; never shared between upstreams
 * @param breaker the circuit breaker, if the upstream has one
 */
public record UpstreamRetries(
    RetryPolicy policy, RetryRules rules, RetryBudget budget, Optional<UpstreamBreaker> breaker) {

  /** Begins a logical call. */
  public RetrySession begin(RequestTraits traits) {
    return begin(traits, Long.MAX_VALUE);
  }

  /**
   * Begins a logical call.
   *
   * @param longestWaitNanos the longest wait before an attempt, whatever the deadline
   */
  public RetrySession begin(RequestTraits traits, long longestWaitNanos) {
    return new RetrySession(this, traits, longestWaitNanos);
  }
}
