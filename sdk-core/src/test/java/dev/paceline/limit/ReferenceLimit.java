package dev.paceline.limit;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * What a limit admits, from its definition and the full history of its charges, in exact fractions:
 * slow and plain. Instants are microseconds after the epoch.
 */
final class ReferenceLimit {
  private final Limit limit;
  private final List<long[]> charges = new ArrayList<>();

  ReferenceLimit(Limit limit) {
    this.limit = limit;
  }

  void take(long at, long cost) {
    charges.add(new long[] {at, cost});
  }

  boolean conforms(long at, long cost) {
    return switch (limit.algorithm()) {
      case GCRA, TOKEN_BUCKET -> gcraConforms(at, cost);
      case FIXED_WINDOW -> fixedWindowConforms(at, cost);
      case SLIDING_WINDOW_LOG -> logConforms(at, cost);
      case SLIDING_WINDOW_COUNTER -> counterConforms(at, cost);
    };
  }

  /** In parts of a microsecond, of which there are as many as permits. */
  private boolean gcraConforms(long at, long cost) {
    BigInteger permits = BigInteger.valueOf(limit.permits());
    BigInteger interval = BigInteger.valueOf(limit.periodMicros());
    BigInteger tat = null;
    for (long[] charge : charges) {
      BigInteger here = BigInteger.valueOf(charge[0]).multiply(permits);
      // A start at the rounded-up arrival time was meant for the unrounded one.
      if (tat == null || ceil(tat, permits).compareTo(BigInteger.valueOf(charge[0])) < 0) {
        tat = here;
      }
      tat = tat.add(interval.multiply(BigInteger.valueOf(charge[1])));
    }
    BigInteger here = BigInteger.valueOf(at).multiply(permits);
    if (tat == null || tat.compareTo(here) < 0) {
      tat = here;
    }
    BigInteger after = tat.add(interval.multiply(BigInteger.valueOf(cost)));
    return after.subtract(here).compareTo(interval.multiply(BigInteger.valueOf(limit.burst())))
        <= 0;
  }

  private static BigInteger ceil(BigInteger parts, BigInteger permits) {
    return parts.add(permits).subtract(BigInteger.ONE).divide(permits);
  }

  private boolean fixedWindowConforms(long at, long cost) {
    long window = Math.floorDiv(at, limit.periodMicros());
    long latest = latestWindow();
    return window >= latest && inWindow(window) + cost <= limit.permits();
  }

  private boolean logConforms(long at, long cost) {
    long newest = charges.isEmpty() ? at : charges.get(charges.size() - 1)[0];
    long counted =
        charges.stream()
            .filter(charge -> charge[0] > at - limit.periodMicros())
            .mapToLong(charge -> charge[1])
            .sum();
    return at >= newest && counted + cost <= limit.permits();
  }

  private boolean counterConforms(long at, long cost) {
    long period = limit.periodMicros();
    long window = Math.floorDiv(at, period);
    long left = (window + 1) * period - at;
    BigInteger weighted =
        BigInteger.valueOf(inWindow(window - 1)).multiply(BigInteger.valueOf(left));
    BigInteger free =
        BigInteger.valueOf(limit.permits() - inWindow(window) - cost)
            .multiply(BigInteger.valueOf(period));
    return window >= latestWindow() && weighted.compareTo(free) <= 0;
  }

  private long latestWindow() {
    return charges.stream()
        .mapToLong(charge -> Math.floorDiv(charge[0], limit.periodMicros()))
        .max()
        .orElse(Long.MIN_VALUE);
  }

  private long inWindow(long window) {
    return charges.stream()
        .filter(charge -> Math.floorDiv(charge[0], limit.periodMicros()) == window)
        .mapToLong(charge -> charge[1])
        .sum();
  }
}
