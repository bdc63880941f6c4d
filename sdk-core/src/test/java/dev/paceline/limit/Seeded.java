package dev.paceline.limit;

import java.time.Duration;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Random limits and traffic from a seed. */
final class Seeded {
  private static final long[] PERIODS_MICROS = {
    1, 7, 999, 1_000, 1_000_000, 1_000_003, 60_000_000, 3_600_000_000L
  };

  private Seeded() {}

  static RandomGenerator random(long seed) {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  }

  static Limit limit(RandomGenerator random, Algorithm algorithm) {
    long permits = random.nextBoolean() ? random.nextLong(1, 12) : random.nextLong(1, 8_000);
    long micros = PERIODS_MICROS[random.nextInt(PERIODS_MICROS.length)];
    Limit limit = Limit.of(permits).per(Duration.ofNanos(micros * 1_000));
    return switch (algorithm) {
      case GCRA -> limit.burst(random.nextLong(1, 6));
      case TOKEN_BUCKET -> limit.tokenBucket(random.nextLong(1, 2 * permits + 1));
      case FIXED_WINDOW -> limit.fixedWindow();
      case SLIDING_WINDOW_LOG -> limit.slidingWindowLog();
      case SLIDING_WINDOW_COUNTER -> limit.slidingWindowCounter();
    };
  }

  /** Mostly 1, sometimes up to the capacity. */
  static long cost(RandomGenerator random, Limit limit) {
    return random.nextInt(4) > 0 ? 1 : random.nextLong(1, limit.capacity() + 1);
  }

  /** Between calls: nothing, about an interval, or up to two periods. */
  static long gap(RandomGenerator random, Limit limit) {
    long interval = limit.periodMicros() / limit.permits();
    return switch (random.nextInt(4)) {
      case 0, 1 -> 0;
      case 2 -> random.nextLong(0, 2 * interval + 2);
      default -> random.nextLong(0, 2 * limit.periodMicros() + 1);
    };
  }
}
