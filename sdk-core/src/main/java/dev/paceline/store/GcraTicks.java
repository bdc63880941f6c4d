package dev.paceline.store;

import dev.paceline.limit.Limit;
import java.time.Duration;
import java.util.Optional;

/**
 * A limit's emission interval and burst as whole numbers of ticks, where a tick is so small a
 * fraction of a nanosecond that the interval is whole. Shared by all cells of a limit.
 *
 * @param perNano ticks in a nanosecond, at least 1
 * @param interval the emission interval in ticks
 * @param tolerance burst times the interval
 * @param divisor the denominator of the exact interval in microseconds, a multiple of {@code
 *     perNano}
 */
record GcraTicks(long perNano, long interval, long tolerance, long divisor) {
  /*
   * Ticks are counted in 64 bits that wrap and are compared by difference. A cell left alone for half
   * that range would take its past for its future, so a tick must be long enough for four years.
   */
  private static final long LEAST_RANGE_NANOS = Duration.ofDays(4 * 366).toNanos();

  private static final long LONGEST_TOLERANCE = 1L << 61;

  /** For a cell that is never open. */
  static final GcraTicks NONE = new GcraTicks(1, 1, 0, 1);

  /** The limit in ticks, if it is one that a single number can hold for long enough. */
  static Optional<GcraTicks> of(Limit limit) {
    if (!limit.algorithm().hasBurst()) {
      return Optional.empty();
    }
    // At most 2^53 µs, so the product fits.
    long periodNanos = limit.periodMicros() * 1_000;
    long gcd = gcd(limit.permits(), periodNanos);
    long perNano = limit.permits() / gcd;
    long interval = periodNanos / gcd;
    if (perNano > Long.MAX_VALUE / LEAST_RANGE_NANOS
        || limit.burst() > LONGEST_TOLERANCE / interval) {
      return Optional.empty();
    }
    return Optional.of(
        new GcraTicks(
            perNano, interval, limit.burst() * interval, limit.emissionInterval().divisor()));
  }

  long perMicro() {
    return perNano * 1_000;
  }

  /** Ticks in a microsecond's fraction over the divisor: whole, as a tick is no coarser. */
  long perRemainder() {
    return perMicro() / divisor;
  }

  private static long gcd(long a, long b) {
    while (b != 0) {
      long rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }
}
