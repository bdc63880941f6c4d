package dev.paceline.feedback;

import dev.paceline.limit.Limit;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * A limit as a provider publishes it.
 *
 * @param rule the calls that it counts: {@code *} for all, or method and path such as {@code POST
 *     /v1/charges}; a name in parentheses where the provider's own words name a kind of call
 * @param permits how many, at least 1
 * @param period per which time
 * @param algorithm {@code gcra}, {@code leaky-bucket}, {@code token-bucket}, {@code fixed-window}
 *     or {@code sliding-window}
 * @param burst how many at once, where the provider tells it
 * @param unit what is counted, {@link QuotaWindow#REQUESTS} mostly
 */
public record PublishedLimit(
    String rule, long permits, Duration period, String algorithm, OptionalLong burst, String unit) {

  private static final int MOST_LOGGED = 1_000;

  /** Checks the numbers. */
  public PublishedLimit {
    if (permits < 1) {
      throw new IllegalArgumentException("permits is " + permits + "; it must be at least 1");
    }
    if (period.isNegative() || period.isZero()) {
      throw new IllegalArgumentException("period is " + period + "; it must be positive");
    }
  }

  /** Returns a limit on all requests, without a published burst. */
  public static PublishedLimit of(long permits, Duration period, String algorithm) {
    return new PublishedLimit(
        "*", permits, period, algorithm, OptionalLong.empty(), QuotaWindow.REQUESTS);
  }

  /** Returns this limit for other calls. */
  public PublishedLimit on(String rule) {
    return new PublishedLimit(rule, permits, period, algorithm, burst, unit);
  }

  /** Returns this limit with a burst. */
  public PublishedLimit burst(long burst) {
    return new PublishedLimit(rule, permits, period, algorithm, OptionalLong.of(burst), unit);
  }

  /** Returns this limit counting another unit. */
  public PublishedLimit in(String unit) {
    return new PublishedLimit(rule, permits, period, algorithm, burst, unit);
  }

  /**
   * The same as a limit to be kept: {@code u.limit(Profiles.notion().limits().get(0).toLimit())}. A
   * sliding window of more than {@value #MOST_LOGGED} permits is estimated, not logged.
   */
  public Limit toLimit() {
    Limit limit = Limit.of(permits).per(period).unit(unit);
    return switch (algorithm) {
      case "fixed-window" -> limit.fixedWindow();
      case "sliding-window" ->
          permits <= MOST_LOGGED ? limit.slidingWindowLog() : limit.slidingWindowCounter();
      case "token-bucket" -> limit.tokenBucket(burst.orElse(permits));
      default -> limit.burst(burst.orElse(1));
    };
  }
}
