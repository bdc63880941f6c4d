package dev.paceline.store;

import dev.paceline.limit.GroupSchedule;
import dev.paceline.limit.Limit;
import java.util.List;
import java.util.Optional;

/**
 * What the schedules of one rule have in common, kept once.
 *
 * @param ticks the only limit in ticks, if a cell can hold it
 * @param hasCell whether a cell can
 * @param retired marks a schedule that is used no more
 */
record LocalShape(
    LocalClock clock,
    List<Limit> limits,
    GcraTicks ticks,
    boolean hasCell,
    LockedSchedule retired) {

  static LocalShape of(LocalClock clock, List<Limit> limits) {
    Optional<GcraTicks> ticks = limits.size() == 1 ? GcraTicks.of(limits.get(0)) : Optional.empty();
    LockedSchedule retired = new LockedSchedule(clock, new GroupSchedule(limits));
    return new LocalShape(clock, limits, ticks.orElse(GcraTicks.NONE), ticks.isPresent(), retired);
  }
}
