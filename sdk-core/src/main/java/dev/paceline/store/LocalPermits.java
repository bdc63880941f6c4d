package dev.paceline.store;

import dev.paceline.time.TimeSource;
import java.util.Arrays;
import java.util.List;

/**
 * Takes permits of one group that are free at once, and never waits: one reading of the clock and
 * one compare-and-set, without allocation, while the group is a single {@code gcra} or {@code
 * token-bucket} that nobody waits for. Thread-safe.
 */
public final class LocalPermits {

  private final LocalStore store;
  private final TimeSource time;
  private final Group group;
  private final List<Group> groups;
  private final List<long[]> costs;

  /** May be retired: then its cell is closed. */
  private volatile LocalSchedule schedule;

  LocalPermits(LocalStore store, Group group, TimeSource time) {
    this.store = store;
    this.time = time;
    this.group = group;
    this.groups = List.of(group);
    long[] one = new long[group.limits().size()];
    Arrays.fill(one, 1);
    this.costs = List.of(one);
    this.schedule = store.schedule(group);
  }

  /** Takes one permit if it is free now. */
  public boolean tryTake() {
    LocalSchedule seen = schedule;
    if (seen.tryTake(time.nanoTime())) {
      return true;
    }
    return seen.isClosed() && takeLocked();
  }

  /**
   * Gives one permit back, as far as time has not paid for it.
   *
   * @param takenNanos a reading of the ticker when it was taken
   * @return false if this takes more than a compare-and-set; nothing was given back then
   */
  public boolean tryGiveBack(long takenNanos) {
    return schedule.tryGiveBack(time.nanoTime(), takenNanos, 1);
  }

  /** Whether nothing but its limit slows the group. */
  public boolean isPlain() {
    return !schedule.isClosed();
  }

  private boolean takeLocked() {
    boolean taken = store.tryTake(groups, costs);
    schedule = store.schedule(group);
    return taken;
  }
}
