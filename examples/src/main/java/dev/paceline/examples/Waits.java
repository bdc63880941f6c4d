package dev.paceline.examples;

import java.util.Arrays;

/** Waits of calls, kept exactly. Thread-safe. */
final class Waits {
  private long[] nanos = new long[1_024];
  private int size;

  synchronized void add(long waitNanos) {
    if (size == nanos.length) {
      nanos = Arrays.copyOf(nanos, size * 2);
    }
    nanos[size++] = waitNanos;
  }

  /** The waits so far, shortest first. */
  synchronized Sorted sorted() {
    long[] copy = Arrays.copyOf(nanos, size);
    Arrays.sort(copy);
    return new Sorted(copy);
  }

  /** Waits in order. */
  static final class Sorted {
    private final long[] nanos;

    private Sorted(long[] nanos) {
      this.nanos = nanos;
    }

    /**
     * The wait in milliseconds that a share of the calls did not exceed; 0 if there were none.
     *
     * @param share from 0 to 1
     */
    double millis(double share) {
      if (nanos.length == 0) {
        return 0;
      }
      int rank = (int) Math.ceil(share * nanos.length);
      return nanos[Math.max(0, rank - 1)] / 1e6;
    }

    double maxMillis() {
      return millis(1);
    }
  }
}
