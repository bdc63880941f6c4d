package dev.paceline.pace;

import java.util.Arrays;

/**
 * Permits that are reserved and not yet handed out, by due time: a ring that grows. Due times are
 * readings of the ticker. Guarded by the pacer's lock.
 */
final class PermitRun {

  private long[] due = new long[16];
  private long[][] cost = new long[16][];
  private int head;
  private int size;

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  long firstDue() {
    return due[head];
  }

  long[] firstCost() {
    return cost[head];
  }

  long lastDue() {
    return due[(head + size - 1) & (due.length - 1)];
  }

  void add(long dueNanos, long[] permitCost) {
    if (size == due.length) {
      grow();
    }
    int at = (head + size) & (due.length - 1);
    due[at] = dueNanos;
    cost[at] = permitCost;
    size++;
  }

  /** Puts a permit in its place among the others. */
  void insert(long dueNanos, long[] permitCost) {
    add(dueNanos, permitCost);
    int mask = due.length - 1;
    for (int i = size - 1; i > 0; i--) {
      int at = (head + i) & mask;
      int before = (head + i - 1) & mask;
      if (due[before] - dueNanos <= 0) {
        return;
      }
      due[at] = due[before];
      cost[at] = cost[before];
      due[before] = dueNanos;
      cost[before] = permitCost;
    }
  }

  void removeFirst() {
    cost[head] = NO_COST;
    head = (head + 1) & (due.length - 1);
    size--;
  }

  private static final long[] NO_COST = {};

  void moveBy(long nanos) {
    for (int i = 0; i < size; i++) {
      due[(head + i) & (due.length - 1)] += nanos;
    }
  }

  private void grow() {
    int capacity = due.length;
    long[] newDue = new long[capacity * 2];
    long[][] newCost = new long[capacity * 2][];
    for (int i = 0; i < size; i++) {
      int at = (head + i) & (capacity - 1);
      newDue[i] = due[at];
      newCost[i] = cost[at];
    }
    Arrays.fill(newCost, size, capacity * 2, NO_COST);
    due = newDue;
    cost = newCost;
    head = 0;
  }
}
