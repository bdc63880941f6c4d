package dev.paceline;

import dev.paceline.limit.Limit;
import dev.paceline.pace.Pacers;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.ScheduleStore;
import dev.paceline.store.StoreListener;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Waits that hold all calls of an upstream, whoever owns them and whatever their rule. Thread-safe.
 *
 * <p>Such a wait is the cooldown of a group that no call passes, so that the fleet hears of it as
 * of any other. Each worker gives it to the groups that somebody waits for, and to others when they
 * are first asked for: then no group saves a burst meanwhile.
 */
final class Holds implements StoreListener {

  private static final String RULE = "upstream";

  /** For groups that no call passes, and of which only the cooldown counts. */
  static final List<Limit> NEVER_CHARGED =
      List.of(Limit.of(1_000_000).per(Duration.ofSeconds(1)).fixedWindow());

  private final ScheduleStore store;
  private final LongSupplier nanoTime;
  private final ConcurrentHashMap<String, Hold> byUpstream = new ConcurrentHashMap<>();
  private final Pacers pacers;

  private record Hold(long until, Set<Group> told) {}

  Holds(ScheduleStore store, LongSupplier nanoTime, Pacers pacers) {
    this.store = store;
    this.nanoTime = nanoTime;
    this.pacers = pacers;
    pacers.tell(this);
  }

  /** The group whose cooldown holds an upstream. */
  static Group of(String upstream) {
    return new Group(new GroupKey(upstream, Upstream.NOBODY, RULE), NEVER_CHARGED);
  }

  /** Holds groups that are about to be asked for, if their upstream is held; true if it is. */
  boolean holds(List<Group> groups) {
    if (byUpstream.isEmpty() || groups.isEmpty()) {
      return false;
    }
    String upstream = groups.get(0).key().upstream();
    Hold hold = byUpstream.get(upstream);
    if (hold == null) {
      return false;
    }
    long left = hold.until() - nanoTime.getAsLong();
    if (left <= 0) {
      byUpstream.remove(upstream, hold);
      return false;
    }
    for (Group group : groups) {
      if (hold.told().add(group)) {
        store.cooldown(group, Duration.ofNanos(left));
      }
    }
    return true;
  }

  @Override
  public void cooldown(GroupKey key, long until) {
    if (!key.rule().equals(RULE)) {
      return;
    }
    Hold longest =
        byUpstream.merge(
            key.upstream(),
            new Hold(until, ConcurrentHashMap.newKeySet()),
            (old, next) -> next.until() - old.until() > 0 ? next : old);
    if (longest.until() == until) {
      holds(pacers.groupsOf(key.upstream()));
    }
  }

  @Override
  public void cooldownCleared(GroupKey key) {
    Hold hold = key.rule().equals(RULE) ? byUpstream.remove(key.upstream()) : null;
    if (hold != null) {
      hold.told().forEach(store::clearCooldown);
    }
  }

  /** Nothing is charged to a hold. */
  @Override
  public void moved(GroupKey key, long micros) {}
}
