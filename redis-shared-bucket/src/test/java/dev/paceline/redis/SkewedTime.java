package dev.paceline.redis;

import dev.paceline.time.TimeSource;
import dev.paceline.time.Timer;
import java.time.Duration;

/** This machine's time with a wall clock that is wrong. */
record SkewedTime(Duration by) implements TimeSource {
  @Override
  public long nanoTime() {
    return TimeSource.system().nanoTime();
  }

  @Override
  public long epochMicros() {
    return TimeSource.system().epochMicros() + by.toNanos() / 1_000;
  }

  @Override
  public Timer schedule(Runnable task, long delayNanos) {
    return TimeSource.system().schedule(task, delayNanos);
  }

  @Override
  public void park(Object blocker, long nanos) {
    TimeSource.system().park(blocker, nanos);
  }

  @Override
  public void unpark(Thread thread) {
    TimeSource.system().unpark(thread);
  }
}
