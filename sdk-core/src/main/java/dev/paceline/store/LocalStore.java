package dev.paceline.store;

import dev.paceline.limit.Decision;
import dev.paceline.limit.Limit;
import dev.paceline.time.TimeSource;
import dev.paceline.time.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Schedules in this process. Several {@code Paceline}s may share one.
 *
 * <p>A schedule is forgotten only when it is as good as new, so no debt is dropped early: after a
 * minute, or at once while more than half of {@code capacity} is in use; beyond {@code capacity}
 * keys, new keys of a rule share one schedule until others have left.
 */
public final class LocalStore implements ScheduleStore {

  /** The default capacity. */
  public static final int DEFAULT_CAPACITY = 2_000_000;

  private static final long SWEEP_NANOS = 5_000_000_000L;

  /** While there is room: to forget a key that comes back at once costs more than to keep it. */
  private static final long IDLE_NANOS = 60_000_000_000L;

  private final TimeSource time;
  private final LocalClock clock;
  private final int capacity;
  private final ConcurrentHashMap<RuleId, LocalRule> rules = new ConcurrentHashMap<>();
  private final List<StoreListener> listeners = new CopyOnWriteArrayList<>();
  private final AtomicReference<@Nullable Timer> sweep = new AtomicReference<>();
  private final LocalSlots slots;
  private volatile boolean closed;

  private LocalStore(TimeSource time, int capacity) {
    this.time = time;
    this.clock = new LocalClock(time);
    this.capacity = capacity;
    this.slots =
        new LocalSlots(time, group -> listeners.forEach(listener -> listener.slotFree(group)));
  }

  /** A store of the default capacity. */
  public static LocalStore create(TimeSource time) {
    return withCapacity(time, DEFAULT_CAPACITY);
  }

  /**
   * A store for a given number of keys.
   *
   * @param capacity at least 1
   */
  public static LocalStore withCapacity(TimeSource time, int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity is " + capacity + "; it must be at least 1");
    }
    return new LocalStore(time, capacity);
  }

  @Override
  public void ask(Ask ask, ReplyTo to) {
    int workers = Math.max(1, listeners.size());
    to.reply(with(ask.group(), schedule -> schedule.ask(ask, workers)));
  }

  @Override
  public long waitNanos(Group group, long[] ahead, long[] cost) {
    return with(group, schedule -> schedule.waitNanos(ahead, cost));
  }

  @Override
  public void cooldown(Group group, Duration lasting) {
    long until = with(group, schedule -> schedule.cooldown(lasting));
    listeners.forEach(listener -> listener.cooldown(group.key(), until));
  }

  @Override
  public void clearCooldown(Group group) {
    with(group, LockedSchedule::clearCooldown);
    listeners.forEach(listener -> listener.cooldownCleared(group.key()));
  }

  @Override
  public void late(Group group, long micros) {
    with(group, schedule -> schedule.late(micros));
  }

  @Override
  public void settle(Group group, long start, long[] delta) {
    with(group, schedule -> schedule.settle(start, delta));
  }

  @Override
  public void slow(Group group, int limit, long permits, Duration lasting) {
    with(group, schedule -> schedule.slow(limit, permits, lasting));
  }

  @Override
  public void guard(Group group, Duration extra) {
    with(group, schedule -> schedule.guard(extra));
  }

  @Override
  public void listen(StoreListener listener) {
    listeners.add(listener);
  }

  /** Ends {@link #listen}. */
  public void unlisten(StoreListener listener) {
    listeners.remove(listener);
  }

  @Override
  public Slots slots() {
    return slots;
  }

  @Override
  public GroupView view(Group group) {
    int workers = Math.max(1, listeners.size());
    return with(group, schedule -> schedule.view(workers));
  }

  /**
   * Takes a permit of each group now, or of none.
   *
   * @param groups narrowest first
   * @param costs for each group, for each of its limits
   * @return whether they were taken
   */
  public boolean tryTake(List<Group> groups, List<long[]> costs) {
    if (groups.size() == 1 && costs.get(0).length == 1) {
      LocalSchedule only = schedule(groups.get(0));
      boolean mine = only.limits().equals(groups.get(0).limits());
      if (mine && only.tryTake(time.nanoTime(), costs.get(0)[0])) {
        return true;
      }
      if (mine && !only.isClosed()) {
        return false;
      }
    }
    return locked(groups, locks -> takeAll(locks, costs));
  }

  private boolean takeAll(Locks locks, List<long[]> costs) {
    long now = clock.micros();
    for (int i = 0; i < costs.size(); i++) {
      if (!locks.schedule(i).conforms(now, costs.get(i))) {
        return false;
      }
    }
    for (int i = 0; i < costs.size(); i++) {
      locks.take(i, now, costs.get(i));
    }
    return true;
  }

  /**
   * As {@link #tryTake}, and says what is left or how long it would take.
   *
   * @param groups narrowest first
   */
  public Decision decide(List<Group> groups, List<long[]> costs) {
    return locked(groups, locks -> LocalDecision.of(clock.micros(), groups, locks, costs));
  }

  /** Permits of one group that are free at once, without a look-up. */
  public LocalPermits permits(Group group) {
    return new LocalPermits(this, group, time);
  }

  /** Permits of one rule's owners that are free at once. */
  public LocalKeys keys(String upstream, String rule, List<Limit> limits) {
    LocalRule table = rule(new RuleId(upstream, rule), limits);
    return new LocalKeys(this, time, table, upstream, rule, List.copyOf(limits));
  }

  /** How many schedules are kept. */
  public int size() {
    return rules.values().stream().mapToInt(LocalRule::size).sum();
  }

  private <T> T with(Group group, Function<LockedSchedule, T> action) {
    return locked(List.of(group), locks -> action.apply(locks.schedule(0)));
  }

  private <T> T locked(List<Group> groups, Function<Locks, T> action) {
    Locks locks = new Locks(groups.size());
    try {
      for (Group group : groups) {
        lock(group, locks);
      }
      return action.apply(locks);
    } finally {
      locks.unlockAll();
    }
  }

  private void lock(Group group, Locks locks) {
    while (true) {
      LocalSchedule schedule = schedule(group);
      LockedSchedule own = schedule.lock();
      if (own == null) {
        continue;
      }
      if (schedule.limits() == group.limits() || schedule.limits().equals(group.limits())) {
        locks.add(schedule, own);
        return;
      }
      rule(group).replace(group.key().owner(), schedule, own, group.limits());
    }
  }

  LocalSchedule schedule(Group group) {
    LocalRule rule = rule(group);
    LocalSchedule schedule = rule.get(group.key().owner());
    if (schedule == null) {
      schedule = rule.getOrMake(group.key().owner(), size() < capacity);
      scheduleSweep();
    }
    return schedule;
  }

  private LocalRule rule(Group group) {
    return rule(new RuleId(group.key().upstream(), group.key().rule()), group.limits());
  }

  private LocalRule rule(RuleId id, List<Limit> limits) {
    LocalRule rule = rules.get(id);
    return rule != null ? rule : rules.computeIfAbsent(id, i -> new LocalRule(clock, limits));
  }

  private record RuleId(String upstream, String rule) {}

  private void scheduleSweep() {
    if (sweep.get() == null && !closed) {
      Timer timer = time.schedule(this::sweep, SWEEP_NANOS);
      if (!sweep.compareAndSet(null, timer)) {
        timer.cancel();
      }
    }
  }

  private void sweep() {
    sweep.set(null);
    long idle = size() > capacity / 2 ? 0 : IDLE_NANOS;
    rules.values().forEach(rule -> rule.sweep(idle));
    if (size() > 0) {
      scheduleSweep();
    }
  }

  @Override
  public void close() {
    closed = true;
    Timer timer = sweep.getAndSet(null);
    if (timer != null) {
      timer.cancel();
    }
  }
}
