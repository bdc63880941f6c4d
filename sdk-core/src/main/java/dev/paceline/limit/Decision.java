package dev.paceline.limit;

import java.time.Duration;

/**
 * The answer to a call that asked to start at once.
 *
 * @param allowed whether it may, and was charged
 * @param limit the name of the limit that decided
 * @param remaining the whole permits left after this answer, the least over the limits
 * @param retryAfter how long until it could start if nobody else came; zero if allowed, or if never
 * @param resetAfter how long until all limits are as good as new, at least 0
 * @param never whether its cost exceeds a limit's capacity, so that no wait would help
 */
public record Decision(
    boolean allowed,
    String limit,
    long remaining,
    Duration retryAfter,
    Duration resetAfter,
    boolean never) {

  /** Checks that no duration is negative. */
  public Decision {
    if (retryAfter.isNegative() || resetAfter.isNegative()) {
      throw new IllegalArgumentException(
          "retryAfter=%s, resetAfter=%s: neither is negative".formatted(retryAfter, resetAfter));
    }
  }
}
