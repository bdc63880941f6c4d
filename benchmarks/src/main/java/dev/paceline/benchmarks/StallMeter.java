package dev.paceline.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** For how long this machine did not run a thread that had to run. Thread-safe. */
public final class StallMeter implements AutoCloseable {

  private static final long STEP_NANOS = 2_000_000;
  private static final long NOTED_NANOS = 5_000_000;

  private final AtomicLong longest = new AtomicLong();
  private final AtomicLong sum = new AtomicLong();
  private final Thread thread = new Thread(this::measure, "stall-meter");
  private volatile boolean closed;

  /** Measures until it is closed. */
  public StallMeter() {
    thread.setDaemon(true);
    thread.start();
  }

  private void measure() {
    long last = System.nanoTime();
    try {
      while (!closed) {
        TimeUnit.NANOSECONDS.sleep(STEP_NANOS);
        long now = System.nanoTime();
        long stall = now - last - STEP_NANOS;
        longest.accumulateAndGet(stall, Math::max);
        if (stall > NOTED_NANOS) {
          sum.addAndGet(stall);
        }
        last = now;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The longest stall so far. */
  public long longestNanos() {
    return longest.get();
  }

  /** All stalls so far of more than 5 ms, together. */
  public long sumNanos() {
    return sum.get();
  }

  @Override
  public void close() {
    closed = true;
  }
}
