package dev.paceline.examples;

import java.util.Arrays;

/** When requests came to a provider, and whether it accepted them. Thread-safe. */
final class Arrivals {
  private long[] nanos = new long[4_096];
  private boolean[] accepted = new boolean[4_096];
  private int size;
  private int acceptedCount;

  /** Notes a request; {@code at} is on the provider's monotonic clock. */
  synchronized void add(long at, boolean isAccepted) {
    if (size == nanos.length) {
      nanos = Arrays.copyOf(nanos, size * 2);
      accepted = Arrays.copyOf(accepted, size * 2);
    }
    nanos[size] = at;
    accepted[size] = isAccepted;
    size++;
    acceptedCount += isAccepted ? 1 : 0;
  }

  synchronized int acceptedCount() {
    return acceptedCount;
  }

  synchronized int refusedCount() {
    return size - acceptedCount;
  }

  /**
   * How many came in each slice of time.
   *
   * @param from the beginning of the first slice, on the provider's clock
   * @param slice the length of each in nanoseconds
   * @return for each slice, how many were accepted and how many refused
   */
  synchronized int[][] slices(long from, long slice, int count) {
    int[][] slices = new int[count][2];
    for (int i = 0; i < size; i++) {
      long index = Math.floorDiv(nanos[i] - from, slice);
      if (index >= 0 && index < count) {
        slices[(int) index][accepted[i] ? 0 : 1]++;
      }
    }
    return slices;
  }
}
