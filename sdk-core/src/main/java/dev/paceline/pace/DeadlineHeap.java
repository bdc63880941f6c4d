package dev.paceline.pace;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Waiting callers by deadline, a binary heap in which each caller knows its place, so that leaving
 * costs a logarithm and nothing is left behind. Guarded by the pacer's lock.
 */
final class DeadlineHeap {

  private @Nullable Waiter[] heap = new Waiter[16];
  private int size;

  @Nullable Waiter first() {
    return heap[0];
  }

  void add(Waiter waiter) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
    }
    siftUp(size++, waiter);
  }

  void remove(Waiter waiter) {
    int at = waiter.heapIndex;
    Waiter last = heap[--size];
    heap[size] = null;
    waiter.heapIndex = -1;
    if (last == null || last == waiter) {
      return;
    }
    siftDown(at, last);
    if (heap[at] == last) {
      siftUp(at, last);
    }
  }

  private void siftUp(int from, Waiter waiter) {
    int at = from;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      Waiter above = heap[parent];
      if (above == null || !before(waiter, above)) {
        break;
      }
      put(at, above);
      at = parent;
    }
    put(at, waiter);
  }

  private void siftDown(int from, Waiter waiter) {
    int at = from;
    while (true) {
      int child = 2 * at + 1;
      if (child >= size) {
        break;
      }
      Waiter below = heap[child];
      Waiter right = child + 1 < size ? heap[child + 1] : null;
      if (below != null && right != null && before(right, below)) {
        below = right;
        child++;
      }
      if (below == null || !before(below, waiter)) {
        break;
      }
      put(at, below);
      at = child;
    }
    put(at, waiter);
  }

  private void put(int at, Waiter waiter) {
    heap[at] = waiter;
    waiter.heapIndex = at;
  }

  private static boolean before(Waiter a, Waiter b) {
    return a.deadline - b.deadline < 0;
  }
}
