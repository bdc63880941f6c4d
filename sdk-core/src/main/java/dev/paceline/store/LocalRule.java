package dev.paceline.store;

import dev.paceline.limit.Limit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The schedules of one rule, by owner. Thread-safe. */
final class LocalRule {

  private static final String OVERFLOW_OWNER = "*overflow*";

  private final LocalClock clock;
  private final ConcurrentHashMap<String, LocalSchedule> byOwner = new ConcurrentHashMap<>();
  private volatile LocalShape shape;

  LocalRule(LocalClock clock, List<Limit> limits) {
    this.clock = clock;
    this.shape = LocalShape.of(clock, limits);
  }

  @Nullable LocalSchedule get(String owner) {
    return byOwner.get(owner);
  }

  /** The owner's schedule, made if there is none; where there is no room, the one for all such. */
  LocalSchedule getOrMake(String owner, boolean room) {
    LocalSchedule schedule = byOwner.get(owner);
    return schedule != null
        ? schedule
        : byOwner.computeIfAbsent(room ? owner : OVERFLOW_OWNER, o -> new LocalSchedule(shape));
  }

  /** Puts a schedule with other limits in an owner's place. */
  void replace(String owner, LocalSchedule old, LockedSchedule locked, List<Limit> limits) {
    LocalShape next = shape;
    if (!next.limits().equals(limits)) {
      next = LocalShape.of(clock, limits);
      shape = next;
    }
    String place = byOwner.get(owner) == old ? owner : OVERFLOW_OWNER;
    byOwner.replace(place, old, old.succeeded(locked, next));
  }

  int size() {
    return byOwner.size();
  }

  /** Forgets what has been as good as new for so long. */
  void sweep(long idleNanos) {
    for (Map.Entry<String, LocalSchedule> entry : byOwner.entrySet()) {
      if (entry.getValue().retireIfNew(idleNanos)) {
        byOwner.remove(entry.getKey(), entry.getValue());
      }
    }
  }
}
