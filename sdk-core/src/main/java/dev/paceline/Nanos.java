package dev.paceline;

import java.time.Duration;

/** Durations as nanoseconds that can be added to a clock reading without overflow. */
final class Nanos {

  /** Seventy years: longer than any wait. */
  static final long FOREVER = Long.MAX_VALUE / 4;

  private static final Duration LONGEST = Duration.ofNanos(FOREVER);

  private Nanos() {}

  static long of(Duration duration) {
    return duration.compareTo(LONGEST) >= 0 ? FOREVER : duration.toNanos();
  }
}
