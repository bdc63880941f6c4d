package dev.paceline;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.ScheduleStore;
import dev.paceline.store.StoreListener;
import java.time.Duration;

/**
 * The groups whose cooldown is a spent quota's: a call that cannot wait for its end is told so.
 * Thread-safe.
 *
 * <p>That it is one is the cooldown of a group beside, which no call passes, so that the fleet
 * hears of it as of any other.
 */
final class SpentQuotas implements StoreListener {

  private static final String BESIDE = "quota ";

  /** What is evicted is refused as a wait that is too long. */
  private static final int MOST = 10_000;

  private final ScheduleStore store;
  private final Cache<GroupKey, Long> spent = Caffeine.newBuilder().maximumSize(MOST).build();

  SpentQuotas(ScheduleStore store) {
    this.store = store;
  }

  /** Notes a spent quota, here and in every worker. */
  void note(GroupKey key, Duration lasting) {
    GroupKey beside = new GroupKey(key.upstream(), key.owner(), BESIDE + key.rule());
    store.cooldown(new Group(beside, Holds.NEVER_CHARGED), lasting);
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

  @Override
  public void cooldown(GroupKey key, long until) {
    if (key.rule().startsWith(BESIDE)) {
      String rule = key.rule().substring(BESIDE.length());
      spent.put(new GroupKey(key.upstream(), key.owner(), rule), until);
    }
  }

  /** Who ends the cooldown ends that of the group itself. */
  @Override
  public void cooldownCleared(GroupKey key) {}

  /** Nothing is charged. */
  @Override
  public void moved(GroupKey key, long micros) {}
}
