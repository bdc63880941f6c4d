package dev.paceline.limit;

import java.time.Duration;

/** What a limit's values must be; each refusal is one sentence. */
final class LimitChecks {
  private static final Duration LONGEST = Duration.ofNanos(1000).multipliedBy(ExactMath.MAX_EXACT);
  private static final Duration DAY = Duration.ofDays(1);

  private LimitChecks() {}

  static void positive(String what, long value) {
    if (value < 1 || value > ExactMath.MAX_EXACT) {
      throw new IllegalArgumentException(
          "%s=%d: must be from 1 to %d".formatted(what, value, ExactMath.MAX_EXACT));
    }
  }

  /** The length in whole microseconds; the period has been checked. */
  static long micros(Duration period) {
    return period.getSeconds() * 1_000_000 + period.getNano() / 1_000;
  }

  static void check(Limit limit) {
    positive("permits", limit.permits());
    positive("burst", limit.burst());
    checkPeriod(limit);
    switch (limit.algorithm()) {
      case GCRA, TOKEN_BUCKET -> checkExactInterval(limit);
      case SLIDING_WINDOW_COUNTER -> checkExactWeight(limit);
      default -> {}
    }
  }

  private static void checkPeriod(Limit limit) {
    Duration period = limit.period();
    if (period.compareTo(Duration.ofNanos(1_000)) < 0
        || period.compareTo(LONGEST) > 0
        || period.getNano() % 1_000 != 0) {
      throw new IllegalArgumentException(
          "period=%s: must be a whole number of microseconds, from 1 to %d of them"
              .formatted(period, ExactMath.MAX_EXACT));
    }
    if (limit.zone().isPresent() && period.toNanosPart() + period.getSeconds() % 86_400 != 0) {
      throw new IllegalArgumentException(
          "zone=%s with period=%s: a zone goes with whole days only"
              .formatted(limit.zone().get(), period));
    }
    if (limit.zone().isPresent() && period.dividedBy(DAY) > 104_000) {
      throw new IllegalArgumentException(
          "zone=%s with period=%s: a zone goes with at most 104000 days"
              .formatted(limit.zone().get(), period));
    }
  }

  /** Costs up to the burst times the interval's numerator or divisor stay exact. */
  private static void checkExactInterval(Limit limit) {
    long periodMicros = limit.periodMicros();
    long gcd = ExactMath.gcd(limit.permits(), periodMicros);
    long widest = Math.max(periodMicros, limit.permits()) / gcd;
    if (ExactMath.saturatedProduct(limit.burst() + 1, widest) > ExactMath.MAX_EXACT) {
      throw new IllegalArgumentException(
          "burst=%d with permits=%d and period=%s: burst + 1 times the larger of permits and the period's"
                  .formatted(limit.burst(), limit.permits(), limit.period())
              + " microseconds, both divided by their greatest common divisor, must be at most "
              + ExactMath.MAX_EXACT);
    }
  }

  private static void checkExactWeight(Limit limit) {
    if (ExactMath.saturatedProduct(limit.permits(), limit.periodMicros()) > ExactMath.MAX_EXACT) {
      throw new IllegalArgumentException(
          "permits=%d with period=%s: a sliding-window-counter's permits times its period's"
                  .formatted(limit.permits(), limit.period())
              + " microseconds must be at most "
              + ExactMath.MAX_EXACT);
    }
  }

  static void costs(long[] costs, int limits) {
    oneForEach(costs.length, limits);
    for (long cost : costs) {
      if (cost < 0) {
        throw new IllegalArgumentException("cost=%d: must be at least 0".formatted(cost));
      }
    }
  }

  static void oneForEach(int costs, int limits) {
    if (costs != limits) {
      throw new IllegalArgumentException(
          "%d costs for %d limits: there must be one for each".formatted(costs, limits));
    }
  }
}
