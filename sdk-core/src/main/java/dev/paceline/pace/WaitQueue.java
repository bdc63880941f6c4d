package dev.paceline.pace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The callers of one group in the order in which permits go to them: priority, then age; and every
 * tenth permit to the oldest, so that nobody starves. Guarded by the pacer's lock.
 */
final class WaitQueue implements Iterable<Waiter> {

  private static final int OLDEST_EVERY = 10;

  private final TreeMap<Integer, Line> lines = new TreeMap<>(Comparator.reverseOrder());
  private final long[] total;
  private int size;
  private int handed;

  /** A queue whose callers state a cost for each of {@code limits} limits. */
  WaitQueue(int limits) {
    total = new long[limits];
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  void add(Waiter waiter) {
    lines.computeIfAbsent(waiter.priority, p -> new Line()).insert(waiter);
    waiter.state = Waiter.State.WAITING;
    add(total, waiter.cost);
    size++;
  }

  void remove(Waiter waiter) {
    Line line = lines.get(waiter.priority);
    if (line == null) {
      throw new IllegalStateException("no line of priority " + waiter.priority);
    }
    line.unlink(waiter);
    if (line.head == null) {
      lines.remove(waiter.priority);
    }
    for (int i = 0; i < total.length; i++) {
      total[i] -= waiter.cost[i];
    }
    size--;
  }

  /** The caller that the next permit of this cost goes to, taken out; null if it fits nobody. */
  @Nullable Waiter take(long[] permitCost) {
    boolean oldest = handed % OLDEST_EVERY == OLDEST_EVERY - 1;
    Waiter best = oldest ? oldest(permitCost) : first(permitCost);
    if (best != null) {
      handed++;
      remove(best);
    }
    return best;
  }

  private @Nullable Waiter first(long[] permitCost) {
    for (Line line : lines.values()) {
      Waiter waiter = line.firstThatFits(permitCost);
      if (waiter != null) {
        return waiter;
      }
    }
    return null;
  }

  private @Nullable Waiter oldest(long[] permitCost) {
    Waiter oldest = null;
    for (Line line : lines.values()) {
      Waiter waiter = line.firstThatFits(permitCost);
      if (waiter != null && (oldest == null || waiter.age - oldest.age < 0)) {
        oldest = waiter;
      }
    }
    return oldest;
  }

  /** What all callers cost together, for each limit; not to be changed. */
  long[] total() {
    return total;
  }

  /** Adds to {@code sum} what the callers ahead of one with this priority and age cost. */
  void costAhead(int priority, long age, long[] sum) {
    if (isLast(priority, age)) {
      add(sum, total);
      return;
    }
    for (Waiter waiter : this) {
      if (waiter.priority < priority || (waiter.priority == priority && waiter.age - age > 0)) {
        return;
      }
      add(sum, waiter.cost);
    }
  }

  private boolean isLast(int priority, long age) {
    if (lines.isEmpty()) {
      return true;
    }
    int lowest = lines.lastKey();
    if (priority != lowest) {
      return priority < lowest;
    }
    Waiter tail = lines.lastEntry().getValue().tail;
    return tail == null || age - tail.age >= 0;
  }

  static void add(long[] sum, long[] cost) {
    for (int i = 0; i < sum.length; i++) {
      long total = sum[i] + cost[i];
      sum[i] = total < 0 ? Long.MAX_VALUE : total;
    }
  }

  /** The callers in order, to be changed while they are gone through. */
  List<Waiter> snapshot() {
    List<Waiter> all = new ArrayList<>(size);
    forEach(all::add);
    return all;
  }

  @Override
  public Iterator<Waiter> iterator() {
    return new InOrder(lines.values().iterator());
  }

  private static boolean fits(long[] cost, long[] permitCost) {
    if (cost == permitCost) {
      return true;
    }
    for (int i = 0; i < cost.length; i++) {
      if (cost[i] > permitCost[i]) {
        return false;
      }
    }
    return true;
  }

  /** Callers of one priority, oldest first. */
  private static final class Line {
    private @Nullable Waiter head;
    private @Nullable Waiter tail;

    /** From the tail, since all but retries are the youngest. */
    void insert(Waiter waiter) {
      Waiter before = tail;
      while (before != null && waiter.age - before.age < 0) {
        before = before.previous;
      }
      Waiter after = before == null ? head : before.next;
      waiter.previous = before;
      waiter.next = after;
      if (before == null) {
        head = waiter;
      } else {
        before.next = waiter;
      }
      if (after == null) {
        tail = waiter;
      } else {
        after.previous = waiter;
      }
    }

    void unlink(Waiter waiter) {
      if (waiter.previous == null) {
        head = waiter.next;
      } else {
        waiter.previous.next = waiter.next;
      }
      if (waiter.next == null) {
        tail = waiter.previous;
      } else {
        waiter.next.previous = waiter.previous;
      }
      waiter.previous = null;
      waiter.next = null;
    }

    @Nullable Waiter firstThatFits(long[] permitCost) {
      for (Waiter waiter = head; waiter != null; waiter = waiter.next) {
        if (fits(waiter.cost, permitCost)) {
          return waiter;
        }
      }
      return null;
    }
  }

  private static final class InOrder implements Iterator<Waiter> {
    private final Iterator<Line> lines;
    private @Nullable Waiter next;

    InOrder(Iterator<Line> lines) {
      this.lines = lines;
      this.next = nextHead();
    }

    private @Nullable Waiter nextHead() {
      return lines.hasNext() ? lines.next().head : null;
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public Waiter next() {
      Waiter current = next;
      if (current == null) {
        throw new NoSuchElementException();
      }
      next = current.next != null ? current.next : nextHead();
      return current;
    }
  }
}
