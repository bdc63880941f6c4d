package dev.paceline.retry;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The delay before a retry: exponential back-off with full jitter.
 *
 * <p>Without a hint the delay is uniform over {@code [minDelay, min(cap, base * 2^attempt)]}. With
 * a wait that the provider asked for it is that wait plus a uniform draw from {@code [0, min(cap,
 * base * 2^attempt, max(100 ms, wait / 4))]}: never earlier than told, and spread so that callers
 * who were told the same do not come back together. Attempts count from 0, which is the first
 * retry.
 *
 * <p>Full jitter spreads a herd over the whole interval, where equal or symmetric jitter leaves it
 * clustered around the mean (M. Brooker, "Exponential Backoff and Jitter", 2015).
 *
 * @param base the bound of the first draw, 0 or more
 * @param cap the largest bound, 0 or more
 * @param minDelay the least delay without a hint, 0 or more; a smaller {@code cap} wins over it
 */
public record FullJitter(Duration base, Duration cap, Duration minDelay) {

  private static final long LEAST_SPREAD_NANOS = 100_000_000;

  /** Checks the durations: an IllegalArgumentException names the one that is negative. */
  public FullJitter {
    requireNotNegative("base", base);
    requireNotNegative("cap", cap);
    requireNotNegative("minDelay", minDelay);
  }

  /**
   * The largest draw at an attempt: {@code min(cap, base * 2^attempt)}, exact, in nanoseconds.
   *
   * @param attempt 0 for the first retry
   */
  public long boundNanos(int attempt) {
    if (attempt < 0) {
      throw new IllegalArgumentException("attempt is " + attempt + "; it must be 0 or more");
    }
    long first = saturatedNanos(base);
    long most = saturatedNanos(cap);
    // Shifting the cap down cannot overflow; shifting the base up can.
    boolean capped = attempt >= Long.SIZE - 1 ? first > 0 : first > most >> attempt;
    return capped ? most : first << Math.min(attempt, Long.SIZE - 1);
  }

  /** A delay without a hint from the provider, in nanoseconds. */
  public long delayNanos(int attempt, RandomGenerator random) {
    return delayNanos(attempt, Long.MAX_VALUE, random);
  }

  /** A delay after the provider asked for a wait, in nanoseconds: never less than that wait. */
  public long delayNanos(int attempt, Duration providerWait, RandomGenerator random) {
    return delayNanos(attempt, providerWait, Long.MAX_VALUE, random);
  }

  /**
   * A delay without a hint that also fits into what is left before a deadline.
   *
   * @param roomNanos time left; at least {@link #leastNanos}
   */
  long delayNanos(int attempt, long roomNanos, RandomGenerator random) {
    long least = leastNanos();
    return draw(least, Math.min(boundNanos(attempt), roomNanos), random);
  }

  /**
   * A delay after a wait that also fits into what is left before a deadline.
   *
   * @param roomNanos time left; at least the wait
   */
  long delayNanos(int attempt, Duration providerWait, long roomNanos, RandomGenerator random) {
    requireNotNegative("providerWait", providerWait);
    long wait = saturatedNanos(providerWait);
    long spread = Math.min(boundNanos(attempt), Math.max(LEAST_SPREAD_NANOS, wait / 4));
    long end = wait > Long.MAX_VALUE - spread ? Long.MAX_VALUE : wait + spread;
    return draw(wait, Math.min(end, roomNanos), random);
  }

  /** The least delay without a hint, in nanoseconds. */
  long leastNanos() {
    return Math.min(saturatedNanos(minDelay), saturatedNanos(cap));
  }

  /** Uniform over {@code [from, to]}; {@code from} where the interval is empty. */
  private static long draw(long from, long to, RandomGenerator random) {
    if (to <= from) {
      return from;
    }
    return random.nextLong(from, to == Long.MAX_VALUE ? to : to + 1);
  }

  /** Nanoseconds of a duration that is not negative; {@code Long.MAX_VALUE} where it is longer. */
  static long saturatedNanos(Duration duration) {
    boolean fits = duration.toSeconds() < Long.MAX_VALUE / 1_000_000_000;
    return fits ? duration.toNanos() : Long.MAX_VALUE;
  }

  private static void requireNotNegative(String name, Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException(name + " is " + value + "; it must be 0 or more");
    }
  }
}
