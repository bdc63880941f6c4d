package dev.paceline.store;

import dev.paceline.limit.Limit;
import dev.paceline.time.TimeSource;
import java.util.Arrays;
import java.util.List;

/**
 * As {@link LocalPermits}, for one rule and many owners: beside that, one look-up in a hash table.
 * Thread-safe.
 */
public final class LocalKeys {

  private final LocalStore store;
  private final TimeSource time;
  private final LocalRule rule;
  private final String upstream;
  private final String ruleName;
  private final List<Limit> limits;
  private final List<long[]> costs;

  LocalKeys(
      LocalStore store,
      TimeSource time,
      LocalRule rule,
      String upstream,
      String ruleName,
      List<Limit> limits) {
    this.store = store;
    this.time = time;
    this.rule = rule;
    this.upstream = upstream;
    this.ruleName = ruleName;
    this.limits = limits;
    long[] one = new long[limits.size()];
    Arrays.fill(one, 1);
    this.costs = List.of(one);
  }

  LocalRule rule() {
    return rule;
  }

  /** Takes one of the owner's permits if it is free now. */
  public boolean tryTake(String owner) {
    LocalSchedule schedule = rule.get(owner);
    if (schedule != null) {
      if (schedule.tryTake(time.nanoTime())) {
        return true;
      }
      if (!schedule.isClosed()) {
        return false;
      }
    }
    Group group = new Group(new GroupKey(upstream, owner, ruleName), limits);
    return store.tryTake(List.of(group), costs);
  }
}
