package dev.paceline.store;

import dev.paceline.limit.Decision;
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
 * <p>A schedule is forgotten only when it is as good as new, so no debt is dropped early; beyond
 * {@code capacity} keys, new keys of a rule share one schedule until others have left.
 */
public final class LocalStore implements ScheduleStore {

  /** The default capacity. */
  public static final int DEFAULT_CAPACITY = 2_000_000;

  private static final String OVERFLOW_OWNER = "*overflow*";
  private static final long SWEEP_NANOS = 5_000_000_000L;

  private final TimeSource time;
  private final LocalClock clock;
  private final int capacity;
  private final ConcurrentHashMap<GroupKey, LocalSchedule> schedules = new ConcurrentHashMap<>();
  private final List<StoreListener> listeners = new CopyOnWriteArrayList<>();
  private final AtomicReference<@Nullable Timer> sweep = new AtomicReference<>();
  private volatile boolean closed;

  private LocalStore(TimeSource time, int capacity) {
    this.time = time;
    this.clock = new LocalClock(time);
    this.capacity = capacity;
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
    with(group, LocalSchedule::clearCooldown);
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
  public GroupView view(Group group) {
    int workers = Math.max(1, listeners.size());
    return with(group, schedule -> schedule.view(workers));
  }

  /**
   * Takes a permit of each group now, or of none.
   *
   * @param groups narrowest first
   * @param costs for each group, for each of its limits
   * @return the index of the group that has no permit now, or -1 if all were taken
   */
  public int tryTake(List<Group> groups, List<long[]> costs) {
    int held = 0;
    LocalSchedule[] locked = new LocalSchedule[groups.size()];
    try {
      for (; held < locked.length; held++) {
        locked[held] = lock(groups.get(held));
      }
      long now = clock.micros();
      for (int i = 0; i < locked.length; i++) {
        if (!locked[i].conforms(now, costs.get(i))) {
          return i;
        }
      }
      for (int i = 0; i < locked.length; i++) {
        locked[i].take(now, costs.get(i));
      }
      return -1;
    } finally {
      while (held-- > 0) {
        locked[held].unlock();
      }
    }
  }

  /**
   * As {@link #tryTake}, and says what is left or how long it would take.
   *
   * @param groups narrowest first
   */
  public Decision decide(List<Group> groups, List<long[]> costs) {
    LocalSchedule[] locked = new LocalSchedule[groups.size()];
    int held = 0;
    try {
      for (; held < locked.length; held++) {
        locked[held] = lock(groups.get(held));
      }
      return LocalDecision.of(clock.micros(), groups, locked, costs);
    } finally {
      while (held-- > 0) {
        locked[held].unlock();
      }
    }
  }

  /** How many schedules are kept. */
  public int size() {
    return schedules.size();
  }

  private <T> T with(Group group, Function<LocalSchedule, T> action) {
    LocalSchedule schedule = lock(group);
    try {
      return action.apply(schedule);
    } finally {
      schedule.unlock();
    }
  }

  private LocalSchedule lock(Group group) {
    while (true) {
      LocalSchedule schedule = schedules.get(group.key());
      if (schedule == null) {
        schedule = make(group);
      }
      if (schedule.lockFor(group)) {
        return schedule;
      }
    }
  }

  private LocalSchedule make(Group group) {
    GroupKey key = group.key();
    if (schedules.size() >= capacity) {
      key = new GroupKey(key.upstream(), OVERFLOW_OWNER, key.rule());
    }
    LocalSchedule schedule =
        schedules.computeIfAbsent(key, k -> new LocalSchedule(clock, group.limits()));
    scheduleSweep();
    return schedule;
  }

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
    schedules.forEach(
        (key, schedule) -> {
          if (schedule.retireIfNew()) {
            schedules.remove(key, schedule);
          }
        });
    if (!schedules.isEmpty()) {
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
