package dev.paceline.store;

import dev.paceline.time.TimeSource;

/** Schedule time of this process: whole microseconds of the monotonic clock since it was made. */
final class LocalClock {

  private final TimeSource time;
  private final long origin;

  LocalClock(TimeSource time) {
    this.time = time;
    this.origin = time.nanoTime();
  }

  /** A reading of the ticker. */
  long nanos() {
    return time.nanoTime();
  }

  long micros() {
    return (time.nanoTime() - origin) / 1_000;
  }

  /** From a reading of the ticker; rounded down. */
  long micros(long nanos) {
    return Math.floorDiv(nanos - origin, 1_000L);
  }

  /** By how much {@link #micros(long)} rounds down, in nanoseconds. */
  long past(long nanos) {
    return Math.floorMod(nanos - origin, 1_000L);
  }

  /** From a reading of the ticker; rounded up. */
  long microsUp(long nanos) {
    return -Math.floorDiv(origin - nanos, 1_000L);
  }

  /** As a reading of the ticker. */
  long nanos(long micros) {
    return origin + micros * 1_000;
  }

  /** What is to be added to {@link #micros()} for the wall clock. */
  long wallOffset() {
    return time.epochMicros() - micros();
  }
}
