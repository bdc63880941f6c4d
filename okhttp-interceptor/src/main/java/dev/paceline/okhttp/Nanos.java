package dev.paceline.okhttp;

import java.time.Duration;

/** Durations as nanoseconds that do not overflow. */
final class Nanos {

  private Nanos() {}

  /** Nanoseconds; {@link Long#MAX_VALUE} for what is longer. */
  static long of(Duration duration) {
    return duration.toSeconds() < Long.MAX_VALUE / 1_000_000_000 - 1
        ? duration.toNanos()
        : Long.MAX_VALUE;
  }
}
