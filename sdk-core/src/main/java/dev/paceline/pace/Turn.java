package dev.paceline.pace;

import dev.paceline.limit.Limit;
import dev.paceline.store.Ask;
import java.util.List;

/** How large a turn may be, and how late a send may be, for given limits: pure arithmetic. */
final class Turn {

  static final long MIN_LATENESS_NANOS = 1_000_000;
  private static final long MAX_LATENESS_NANOS = 20_000_000;

  private Turn() {}

  /** The longest emission interval for {@code cost} over the limits, in nanoseconds. */
  static long intervalNanos(List<Limit> limits, long[] cost) {
    double longest = 0;
    for (int i = 0; i < cost.length; i++) {
      Limit limit = limits.get(i);
      double interval = (double) limit.period().toNanos() / limit.permits() * cost[i];
      longest = Math.max(longest, interval);
    }
    return (long) Math.min(longest, Long.MAX_VALUE / 4.0);
  }

  /**
   * The most permits of one turn: what the limits allow in a second, shared by the workers, so that
   * a lap of all of them takes about a second at most.
   */
  static int most(long intervalNanos, int workers) {
    if (intervalNanos <= 0) {
      return Ask.MAX_PERMITS;
    }
    long share = 1_000_000_000L / intervalNanos / Math.max(1, workers);
    return (int) Math.max(1, Math.min(share, Ask.MAX_PERMITS));
  }

  /** Sends later than this after their due time move the schedule. */
  static long tolerableLateness(long intervalNanos) {
    return Math.max(MIN_LATENESS_NANOS, Math.min(intervalNanos / 2, MAX_LATENESS_NANOS));
  }
}
