package dev.paceline;

import dev.paceline.limit.Limit;
import dev.paceline.store.GroupKey;
import dev.paceline.store.GroupView;
import java.util.List;

/**
 * What this worker knows of a schedule now. Immutable.
 *
 * @param key its name
 * @param limits by which it goes: those that were learned or discovered, in place of the configured
 * @param now what is left, its cooldown, and the guard that is added to each interval
 */
public record ScheduleState(GroupKey key, List<Limit> limits, GroupView now) {

  /** Copies the list. */
  public ScheduleState {
    limits = List.copyOf(limits);
  }
}
