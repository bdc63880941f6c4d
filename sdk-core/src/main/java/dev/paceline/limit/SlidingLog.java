package dev.paceline.limit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * {@code sliding-window-log}: every charge of the last period, one run for those of one instant.
 */
final class SlidingLog implements LimitSchedule {
  /*
   * The window is (t − P, t]. Charges come in the order of their instants: what asks for an instant
   * before the newest one is answered from there, or a window around a reserved start would hold more
   * than the limit. Each run keeps the running total at its end, so what a window holds is one
   * subtraction, and when enough has left is one binary search. Totals are compared by differences.
   *
   * Memory: 16 B a run, and no more runs than permits, since older ones leave as new ones come.
   */
  private final long permits;
  private final long period;

  private long[] instants = new long[4];
  private long[] totals = new long[4];

  /** Runs in [head, tail) of the arrays are kept. */
  private int head;

  private int tail;

  /** The total at the end of the run before the head. */
  private long dropped;

  SlidingLog(Limit limit) {
    this.permits = limit.permits();
    this.period = limit.periodMicros();
  }

  @Override
  public long capacity() {
    return permits;
  }

  private long total() {
    return head == tail ? dropped : totals[tail - 1];
  }

  private long from(long at) {
    return head == tail ? at : ExactMath.later(at, instants[tail - 1]);
  }

  /** The running total of what has left the window that ends at {@code at}. */
  private long goneAt(long at) {
    int low = head;
    int high = tail;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (at - instants[middle] >= period) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == head ? dropped : totals[low - 1];
  }

  @Override
  public long earliest(long at, long cost) {
    long from = from(at);
    long surplus = total() - goneAt(from) + cost - permits;
    if (surplus <= 0) {
      return from;
    }
    return ExactMath.later(from, instantOf(total() + cost - permits) + period);
  }

  /** The instant of the charge that made the running total reach a value; it is still kept. */
  private long instantOf(long reached) {
    int low = head;
    int high = tail - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (totals[middle] - reached >= 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return instants[low];
  }

  @Override
  public void take(long at, long cost) {
    long from = from(at);
    while (head < tail && from - instants[head] >= period) {
      dropped = totals[head++];
    }
    long reached = total() + Math.min(cost, ExactMath.MAX_EXACT);
    if (head < tail && instants[tail - 1] == from) {
      totals[tail - 1] = reached;
      return;
    }
    makeRoom();
    instants[tail] = from;
    totals[tail++] = reached;
  }

  private void makeRoom() {
    if (tail < instants.length) {
      return;
    }
    int kept = tail - head;
    long[] oldInstants = instants;
    long[] oldTotals = totals;
    if (kept > instants.length / 2) {
      instants = new long[kept * 2];
      totals = new long[kept * 2];
    }
    System.arraycopy(oldInstants, head, instants, 0, kept);
    System.arraycopy(oldTotals, head, totals, 0, kept);
    head = 0;
    tail = kept;
  }

  @Override
  public long earliestBehind(long at, long ahead, long cost) {
    long from = from(at);
    long counted = total() - goneAt(from);
    long position = ExactMath.saturatedSum(counted, ExactMath.saturatedSum(ahead, cost));
    if (position <= permits) {
      return from;
    }
    // No permit starts within a period of the one that is `permits` places before it.
    long laps = (position - 1) / permits;
    long first = position - laps * permits;
    long base = first <= counted ? instantOf(total() - counted + first) : from;
    return ExactMath.later(from, base + period * Math.min(laps, ExactMath.MAX_EXACT / period));
  }

  @Override
  public long remaining(long at) {
    return Math.max(0, permits - debt(at));
  }

  @Override
  public long debt(long at) {
    return total() - goneAt(from(at));
  }

  @Override
  public void owe(long at, long debt) {
    if (debt > 0) {
      take(at, debt);
    }
  }

  @Override
  public void adjust(long chargedAt, long at, long delta) {
    if (delta > 0) {
      take(at, delta);
      return;
    }
    int run = Arrays.binarySearch(instants, head, tail, chargedAt);
    if (run < 0 || at - chargedAt >= period) {
      return;
    }
    long before = run == head ? dropped : totals[run - 1];
    long less = Math.min(totals[run] - before, delta == Long.MIN_VALUE ? Long.MAX_VALUE : -delta);
    for (int i = run; i < tail; i++) {
      totals[i] -= less;
    }
  }

  @Override
  public long fullAt() {
    return head == tail ? Long.MIN_VALUE : instants[tail - 1] + period;
  }

  @Override
  public LimitState state() {
    if (head == tail) {
      return new LimitState.Unused();
    }
    List<LimitState.Run> runs = new ArrayList<>(tail - head);
    long before = dropped;
    for (int i = head; i < tail; i++) {
      if (totals[i] != before) {
        runs.add(new LimitState.Run(instants[i], totals[i] - before));
      }
      before = totals[i];
    }
    return new LimitState.Log(runs);
  }

  @Override
  public void restore(LimitState state) {
    if (state instanceof LimitState.Log || state instanceof LimitState.Unused) {
      head = 0;
      tail = 0;
      dropped = 0;
    }
    if (state instanceof LimitState.Log log) {
      for (LimitState.Run run : log.runs()) {
        if (run.count() > 0) {
          take(run.atMicros(), run.count());
        }
      }
    }
  }

  /** What the other log has more in the window at the newest instant is charged there. */
  @Override
  public void merge(LimitState state) {
    if (!(state instanceof LimitState.Log log) || log.runs().isEmpty()) {
      return;
    }
    long newest = from(log.runs().get(log.runs().size() - 1).atMicros());
    long theirs = 0;
    for (LimitState.Run run : log.runs()) {
      if (newest - run.atMicros() < period) {
        theirs = ExactMath.saturatedSum(theirs, Math.max(0, run.count()));
      }
    }
    owe(newest, theirs - debt(newest));
  }
}
