package dev.paceline.redis.testing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A provider that only watches: how many requests more than its rate came in any stretch of time.
 * Also watches the machine, since requests that it holds back come together. Thread-safe.
 */
public final class Arrivals implements AutoCloseable {
  private static final long STEP_NANOS = 1_000_000;

  private final double perNano;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean closed;
  private volatile long longestStall;

  // Guarded by the lock.
  private final long begin = System.nanoTime();
  private long count;
  private double least;
  private double most;

  /** Begins to watch. */
  public Arrivals(int perSecond) {
    perNano = perSecond / 1e9;
    Thread watch = new Thread(this::watchMachine, "arrivals-watch");
    watch.setDaemon(true);
    watch.start();
  }

  /** A request comes. */
  public void arrive() {
    lock.lock();
    try {
      double ahead = count - (System.nanoTime() - begin) * perNano;
      least = Math.min(least, ahead);
      most = Math.max(most, ahead + 1 - least);
      count++;
    } finally {
      lock.unlock();
    }
  }

  /** How many came. */
  public long count() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }

  /** The largest surplus over the rate of any stretch of time: the least burst that allows it. */
  public double burst() {
    lock.lock();
    try {
      return most;
    } finally {
      lock.unlock();
    }
  }

  /** How much of the surplus may be requests that the machine held back. */
  public double stalled() {
    return longestStall * perNano;
  }

  private void watchMachine() {
    try {
      while (!closed) {
        long before = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(STEP_NANOS);
        longestStall = Math.max(longestStall, System.nanoTime() - before - STEP_NANOS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
