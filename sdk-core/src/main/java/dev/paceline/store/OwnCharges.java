package dev.paceline.store;

import dev.paceline.limit.GroupSchedule;
import dev.paceline.limit.Limit;
import dev.paceline.limit.LimitState;
import dev.paceline.limit.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What this worker itself has reserved of a group's windows. Others may have reserved more since
 * the last reply, but of this there is no doubt. Instants are microseconds of the local clock.
 * Guarded by the mirror's lock.
 */
final class OwnCharges {

  private @Nullable GroupSchedule own;

  OwnCharges(List<Limit> limits) {
    limitsAre(limits);
  }

  /** Begins anew under other limits. */
  void limitsAre(List<Limit> limits) {
    boolean windows = limits.stream().anyMatch(limit -> !limit.algorithm().hasBurst());
    own = windows ? new GroupSchedule(limits) : null;
  }

  /** Notes what a reply reserved. */
  void reserved(long[] starts, long[] cost, long wallOffset) {
    if (own != null && cost.length == own.limits().size()) {
      own.align(wallOffset);
      for (long start : starts) {
        own.take(start - wallOffset, cost);
      }
    }
  }

  void settle(long start, long now, long[] delta) {
    if (own != null && delta.length == own.limits().size()) {
      own.adjust(start, now, delta);
    }
  }

  /**
   * What is certain of a state as it was replied. Of a log a reply says only how much is in it, at
   * its newest instant: enough for a floor, but some of it may leave the window sooner.
   */
  Snapshot certain(Snapshot replied) {
    if (own == null || replied.limits().size() != own.limits().size()) {
      return replied;
    }
    List<LimitState> mine = own.snapshot().limits();
    List<LimitState> certain = new ArrayList<>(replied.limits());
    for (int i = 0; i < certain.size(); i++) {
      if (certain.get(i) instanceof LimitState.Log) {
        certain.set(i, mine.get(i));
      }
    }
    return new Snapshot(certain);
  }

  /** Raises a worker's part of the fleet's state to what it has reserved. */
  Snapshot atLeast(Snapshot part) {
    if (own == null || part.limits().size() != own.limits().size()) {
      return part;
    }
    List<LimitState> mine = own.snapshot().limits();
    List<LimitState> raised = new ArrayList<>(mine.size());
    for (int i = 0; i < mine.size(); i++) {
      raised.add(larger(part.limits().get(i), mine.get(i)));
    }
    return new Snapshot(raised);
  }

  private static LimitState larger(LimitState part, LimitState mine) {
    if (part instanceof LimitState.Window a && mine instanceof LimitState.Window b) {
      boolean more = b.startMicros() == a.startMicros() && b.count() > a.count();
      return more ? b : a;
    }
    if (part instanceof LimitState.TwoWindows a && mine instanceof LimitState.TwoWindows b) {
      if (a.startMicros() != b.startMicros()) {
        return a;
      }
      return new LimitState.TwoWindows(
          a.startMicros(),
          Math.max(a.current(), b.current()),
          Math.max(a.previous(), b.previous()));
    }
    if (part instanceof LimitState.Log a && mine instanceof LimitState.Log b) {
      return sum(b) > sum(a) ? b : a;
    }
    return part;
  }

  private static long sum(LimitState.Log log) {
    return log.runs().stream().mapToLong(LimitState.Run::count).sum();
  }
}
