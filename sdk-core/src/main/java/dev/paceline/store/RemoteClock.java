package dev.paceline.store;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Where the instants of a remote clock lie on this process's ticker. Thread-safe.
 *
 * <p>What is seen of a reply is when it was received and what the remote clock then showed at
 * least; the difference is the true offset plus the time of the way back. The smallest difference
 * of the last 10 s is therefore the nearest to the truth, and one slow reply does not shift it.
 */
final class RemoteClock {

  private static final long SLICE_NANOS = 2_000_000_000L;
  private static final int SLICES = 5;

  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final long[] least = new long[SLICES];
  private final long[] slice = new long[SLICES];
  private boolean sampled;

  /** Takes up a reply; returns the smallest offset of the last 10 s. */
  long sample(long received, long remoteMicros) {
    long offset = received - remoteMicros * 1_000;
    long current = Math.floorDiv(received, SLICE_NANOS);
    int at = (int) Math.floorMod(current, (long) SLICES);
    lock.lock();
    try {
      if (!sampled || slice[at] != current || offset - least[at] < 0) {
        least[at] = offset;
        slice[at] = current;
      }
      if (!sampled) {
        forget(at);
      }
      sampled = true;
      return smallest(current, offset);
    } finally {
      lock.unlock();
    }
  }

  private void forget(int exceptFor) {
    for (int i = 0; i < SLICES; i++) {
      if (i != exceptFor) {
        slice[i] = slice[exceptFor] - SLICES;
      }
    }
  }

  private long smallest(long current, long offset) {
    long smallest = offset;
    for (int i = 0; i < SLICES; i++) {
      long age = current - slice[i];
      if (age >= 0 && age < SLICES && least[i] - smallest < 0) {
        smallest = least[i];
      }
    }
    return smallest;
  }

  /** Forgets everything but one reply: the remote clock was set back. */
  long restart(long received, long remoteMicros) {
    lock.lock();
    try {
      sampled = false;
    } finally {
      lock.unlock();
    }
    return sample(received, remoteMicros);
  }
}
