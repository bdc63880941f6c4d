package dev.paceline.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a group's remote schedule has still to be told, in order; bounded. Guarded by the mirror's
 * lock.
 */
final class Outbound {

  private static final int MOST = 32;

  private final Deque<Outgoing> queue = new ArrayDeque<>(2);

  boolean isEmpty() {
    return queue.isEmpty();
  }

  void add(Outgoing next) {
    if (next instanceof Outgoing.Cool || next instanceof Outgoing.Clear) {
      queue.removeIf(old -> old instanceof Outgoing.Cool || old instanceof Outgoing.Clear);
    } else if (next instanceof Outgoing.Guard) {
      queue.removeIf(old -> old instanceof Outgoing.Guard);
    } else if (next instanceof Outgoing.Slow slow) {
      queue.removeIf(old -> old instanceof Outgoing.Slow s && s.limit() == slow.limit());
    } else if (next instanceof Outgoing.Late late) {
      queue.add(new Outgoing.Late(late.micros() + takeLate()));
      return;
    } else if (next instanceof Outgoing.Settle settle && queue.size() >= MOST) {
      mergeInto(settle);
      return;
    }
    queue.add(next);
  }

  private long takeLate() {
    long micros = 0;
    for (Iterator<Outgoing> all = queue.iterator(); all.hasNext(); ) {
      if (all.next() instanceof Outgoing.Late late) {
        micros += late.micros();
        all.remove();
      }
    }
    return micros;
  }

  /** Forgets corrections that were made for another number of limits. */
  void limitsAre(int count) {
    queue.removeIf(one -> one instanceof Outgoing.Settle s && s.delta().length != count);
    queue.removeIf(one -> one instanceof Outgoing.Slow s && s.limit() >= count);
  }

  /** Into another correction of the same group, made at the earlier start: that gives back less. */
  private void mergeInto(Outgoing.Settle more) {
    for (Outgoing old : queue) {
      if (old instanceof Outgoing.Settle settle) {
        queue.remove(old);
        long[] sum = settle.delta().clone();
        for (int i = 0; i < sum.length; i++) {
          sum[i] += more.delta()[i];
        }
        long start = settle.start() - more.start() < 0 ? settle.start() : more.start();
        queue.add(new Outgoing.Settle(start, sum));
        return;
      }
    }
    queue.add(more);
  }

  /** All that is to be told, taken out. */
  List<Outgoing> take() {
    if (queue.isEmpty()) {
      return List.of();
    }
    List<Outgoing> all = new ArrayList<>(queue);
    queue.clear();
    return all;
  }

  /** Puts back what a failed command carried, before what came since. */
  void again(List<Outgoing> sent) {
    List<Outgoing> since = take();
    for (Outgoing old : sent) {
      @Nullable Outgoing again = old.again();
      if (again != null) {
        add(again);
      }
    }
    since.forEach(this::add);
  }

  static List<Change> changes(List<Outgoing> outgoing, long now) {
    if (outgoing.isEmpty()) {
      return List.of();
    }
    List<Change> changes = new ArrayList<>(outgoing.size());
    for (Outgoing one : outgoing) {
      Change change = one.at(now);
      if (change != null) {
        changes.add(change);
      }
    }
    return changes;
  }
}
