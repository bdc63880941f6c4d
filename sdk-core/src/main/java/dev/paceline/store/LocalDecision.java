package dev.paceline.store;

import dev.paceline.limit.Decision;
import dev.paceline.limit.GroupSchedule;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Decides a call that starts now or not at all, on locked schedules. */
final class LocalDecision {

  private LocalDecision() {}

  static Decision of(long now, List<Group> groups, Locks locked, List<long[]> costs) {
    long start = now;
    int binding = 0;
    for (int i = 0; i < locked.size(); i++) {
      long earliest = locked.schedule(i).earliest(now, costs.get(i));
      if (earliest == GroupSchedule.NEVER) {
        return refused(now, i, GroupSchedule.NEVER, locked, costs);
      }
      if (earliest > start) {
        start = earliest;
        binding = i;
      }
    }
    if (start > now) {
      return refused(now, binding, start, locked, costs);
    }
    for (int i = 0; i < locked.size(); i++) {
      locked.take(i, now, costs.get(i));
    }
    String limit = groups.isEmpty() ? "" : locked.schedule(0).binding(now, costs.get(0));
    return new Decision(
        true, limit, remaining(now, locked), Duration.ZERO, untilFull(now, locked), false);
  }

  private static Decision refused(
      long now, int binding, long start, Locks locked, List<long[]> costs) {
    boolean never = start == GroupSchedule.NEVER;
    Duration wait = never ? Duration.ZERO : Duration.of(start - now, ChronoUnit.MICROS);
    String limit = locked.schedule(binding).binding(now, costs.get(binding));
    return new Decision(false, limit, remaining(now, locked), wait, untilFull(now, locked), never);
  }

  private static long remaining(long now, Locks locked) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < locked.size(); i++) {
      least = Math.min(least, locked.schedule(i).remaining(now));
    }
    return least;
  }

  private static Duration untilFull(long now, Locks locked) {
    long full = now;
    for (int i = 0; i < locked.size(); i++) {
      full = Math.max(full, locked.schedule(i).fullAt());
    }
    return Duration.of(full - now, ChronoUnit.MICROS);
  }
}
