package dev.paceline.testing;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A provider that keeps its limit of so many calls a second with a burst, and refuses what comes
 * earlier. It counts in parts of a nanosecond of which a call takes a whole number, so it is exact;
 * its code shares nothing with what it judges. Thread-safe.
 */
public final class StrictProvider {

  private static final long PARTS_OF_A_CALL = 1_000_000_000L;

  private final long rate;
  private final long tolerance;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock; parts since the first call.
  private boolean called;
  private long firstNanos;
  private long expected;
  private long accepted;
  private long refused;

  /**
   * A provider that nobody has called yet.
   *
   * @param perSecond calls a second; a nanosecond has as many parts
   * @param burst how many may come at once after a rest, at least 1
   */
  public StrictProvider(long perSecond, long burst) {
    this.rate = perSecond;
    this.tolerance = Math.multiplyExact(burst - 1, PARTS_OF_A_CALL);
  }

  /**
   * Judges a call that arrives.
   *
   * @param nanos when, not before the call judged last
   * @return whether it is accepted
   */
  public boolean arrives(long nanos) {
    lock.lock();
    try {
      if (!called) {
        called = true;
        firstNanos = nanos;
      }
      long at = Math.multiplyExact(nanos - firstNanos, rate);
      if (expected - tolerance > at) {
        refused++;
        return false;
      }
      expected = Math.addExact(Math.max(expected, at), PARTS_OF_A_CALL);
      accepted++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** How many calls were accepted. */
  public long accepted() {
    lock.lock();
    try {
      return accepted;
    } finally {
      lock.unlock();
    }
  }

  /** How many calls were refused. */
  public long refused() {
    lock.lock();
    try {
      return refused;
    } finally {
      lock.unlock();
    }
  }
}
