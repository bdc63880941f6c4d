package dev.paceline.benchmarks.soak;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The longest time for which this machine did not run a thread that had to run. */
final class StallMeter implements AutoCloseable {

  private static final long STEP_NANOS = 2_000_000;

  private final AtomicLong longest = new AtomicLong();
  private final Thread thread = new Thread(this::measure, "stall-meter");
  private volatile boolean closed;

  StallMeter() {
    thread.setDaemon(true);
    thread.start();
  }

  private void measure() {
    long last = System.nanoTime();
    try {
      while (!closed) {
        TimeUnit.NANOSECONDS.sleep(STEP_NANOS);
        long now = System.nanoTime();
        longest.accumulateAndGet(now - last - STEP_NANOS, Math::max);
        last = now;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  long longestNanos() {
    return longest.get();
  }

  @Override
  public void close() {
    closed = true;
  }
}
