package dev.paceline;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.paceline.limit.Limit;
import dev.paceline.pace.Stage;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.ScheduleStore;
import dev.paceline.store.StoreListener;
import dev.paceline.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
  private final TimeSource time;
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
  Probes(ScheduleStore store, TimeSource time, Predicate<String> punishes) {
    this.store = store;
    this.time = time;
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

  /**
   * A request was answered: if it went first and was not refused, the others follow, but not before
   * the pace allows the next: with the cooldown, what the first one was charged ends, too.
   */
  void answered(List<Group> groups, Permit permit, boolean refused) {
    follow(Holds.of(groups.get(0).key().upstream()), permit, refused);
    for (Group group : groups) {
      follow(group, permit, refused);
    }
  }

  private void follow(Group group, Permit permit, boolean refused) {
    Awaited seen = awaited.getIfPresent(group.key());
    if (seen == null || seen.probe() != permit || refused) {
      return;
    }
    long early = permit.sentNanos() + paceNanos(permit) - time.nanoTime();
    if (early <= 0) {
      store.clearCooldown(group);
    } else {
      time.schedule(() -> followLater(group, permit), early);
    }
  }

  private void followLater(Group group, Permit permit) {
    Awaited seen = awaited.getIfPresent(group.key());
    if (seen != null && seen.probe() == permit) {
      store.clearCooldown(group);
    }
  }

  /** The time from this permit to the next at the pace; less than the others wait at most. */
  private static long paceNanos(Permit permit) {
    double longest = 0;
    for (Stage stage : permit.stages()) {
      longest = Math.max(longest, paceMicros(stage.group().limits(), stage.cost()));
    }
    return Math.min((long) (longest * 1e3), PATIENCE.toNanos() - SAME_NANOS);
  }

  /** After a cooldown, windows are paced by the shortest only, and not where a pace is set. */
  private static double paceMicros(List<Limit> limits, long[] cost) {
    double longest = 0;
    int shortest = 0;
    for (int i = 0; i < cost.length; i++) {
      if (limits.get(i).algorithm().hasBurst()) {
        longest = Math.max(longest, paceMicros(limits.get(i), cost[i]));
      }
      if (limits.get(i).period().compareTo(limits.get(shortest).period()) < 0) {
        shortest = i;
      }
    }
    return longest > 0 ? longest : paceMicros(limits.get(shortest), cost[shortest]);
  }

  private static double paceMicros(Limit limit, long cost) {
    return (double) cost
        * TimeUnit.NANOSECONDS.toMicros(limit.period().toNanos())
        / limit.permits();
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
