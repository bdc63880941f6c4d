package dev.paceline;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.ScheduleStore;
import dev.paceline.store.StoreListener;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lets one request go first after a cooldown, where a provider punishes those who come back too
 * soon: the others wait for its answer. Thread-safe.
 *
 * <p>Who gets the first permit after a cooldown begins another, which the fleet hears of like any.
 * A good answer ends it; without an answer it ends by itself, and the next request is the first.
 * What the schedule allows until all workers have heard of it, a few milliseconds, goes out beside.
 */
final class Probes implements StoreListener {

  /** So long the others wait for an answer. */
  static final Duration PATIENCE = Duration.ofSeconds(1);

  /** A cooldown is heard of with an end that is so much later than it was meant, at most. */
  private static final long SAME_NANOS = 50_000_000L;

  /** Of what is evicted, all go on at the pace. */
  private static final int MOST = 10_000;

  private final ScheduleStore store;
  private final Predicate<String> punishes;
  private final Cache<GroupKey, Awaited> awaited = Caffeine.newBuilder().maximumSize(MOST).build();

  /**
   * A cooldown after which one goes first.
   *
   * @param until when it ends: a reading of the ticker
   * @param probe the first one, if it is this worker's and was not answered yet
   */
  private record Awaited(long until, @Nullable Permit probe) {

    /** Also what the probe itself has begun is heard of; a longer one begins anew. */
    Awaited and(Awaited next) {
      long longer = next.until - until;
      if (longer <= 0) {
        return this;
      }
      return longer <= SAME_NANOS ? new Awaited(next.until, probe) : next;
    }
  }

  /**
   * Probes of some upstreams.
   *
   * @param punishes whether the provider of an upstream punishes impatience
   */
  Probes(ScheduleStore store, Predicate<String> punishes) {
    this.store = store;
    this.punishes = punishes;
  }

  boolean concern(List<Group> groups) {
    return !groups.isEmpty() && punishes.test(groups.get(0).key().upstream());
  }

  /** A call may go now: if it is the first after a cooldown, the others wait. */
  void granted(List<Group> groups, Permit permit, long now) {
    if (!goesFirst(Holds.of(groups.get(0).key().upstream()), permit, now)) {
      for (Group group : groups) {
        if (goesFirst(group, permit, now)) {
          return;
        }
      }
    }
  }

  private boolean goesFirst(Group group, Permit permit, long now) {
    Awaited seen = awaited.getIfPresent(group.key());
    if (seen == null || seen.until() - now > 0) {
      return false;
    }
    Awaited next = new Awaited(now + PATIENCE.toNanos(), permit);
    if (!awaited.asMap().replace(group.key(), seen, next)) {
      return false;
    }
    store.cooldown(group, PATIENCE);
    return true;
  }

  /** A request was answered: if it went first and was not refused, the others follow. */
  void answered(List<Group> groups, Permit permit, boolean refused) {
    follow(Holds.of(groups.get(0).key().upstream()), permit, refused);
    for (Group group : groups) {
      follow(group, permit, refused);
    }
  }

  private void follow(Group group, Permit permit, boolean refused) {
    Awaited seen = awaited.getIfPresent(group.key());
    if (seen != null && seen.probe() == permit && !refused) {
      store.clearCooldown(group);
    }
  }

  @Override
  public void cooldown(GroupKey key, long until) {
    if (punishes.test(key.upstream())) {
      awaited.asMap().merge(key, new Awaited(until, null), Awaited::and);
    }
  }

  @Override
  public void cooldownCleared(GroupKey key) {
    awaited.invalidate(key);
  }

  /** Nothing is charged for it. */
  @Override
  public void moved(GroupKey key, long micros) {}
}
