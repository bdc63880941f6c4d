package dev.paceline;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.ScheduleStore;

/**
 * The groups whose cooldown is a spent quota's, as far as this worker was told: a call that cannot
 * wait for its end is told so, too. Thread-safe.
 */
final class SpentQuotas {

  /** What is evicted is refused as a wait that is too long. */
  private static final int MOST = 10_000;

  private final ScheduleStore store;
  private final Cache<GroupKey, Long> spent = Caffeine.newBuilder().maximumSize(MOST).build();

  SpentQuotas(ScheduleStore store) {
    this.store = store;
  }

  /** Notes a spent quota, and until when: a reading of the ticker. */
  void note(GroupKey key, long until) {
    spent.put(key, until);
  }

  /** Whether the group, or all of its upstream, waits for a spent quota. */
  boolean hold(Group group, long now) {
    return waits(group, now) || waits(Holds.of(group.key().upstream()), now);
  }

  private boolean waits(Group group, long now) {
    Long until = spent.getIfPresent(group.key());
    // Until then, unless somebody has ended the cooldown.
    return until != null && until - now > 0 && !store.view(group).cooldown().isZero();
  }
}
