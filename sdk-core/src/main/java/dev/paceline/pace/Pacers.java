package dev.paceline.pace;

import dev.paceline.event.RefusalReason;
import dev.paceline.limit.InFlight;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.ScheduleStore;
import dev.paceline.store.StoreListener;
import dev.paceline.time.TimeSource;
import dev.paceline.time.Timer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The pacers of a process, one a group, made when somebody has to wait and forgotten when nobody
 * does. Thread-safe.
 */
public final class Pacers implements StoreListener, AutoCloseable {

  private static final long SWEEP_NANOS = 10_000_000_000L;

  private final ScheduleStore store;
  private final TimeSource time;
  private final Pace pace;
  private final ToIntFunction<GroupKey> maxQueued;
  private final Function<GroupKey, Optional<InFlight>> inFlight;
  private final ConcurrentHashMap<GroupKey, Pacer> pacers = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Timer> sweep = new AtomicReference<>();
  private final List<StoreListener> others = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  /**
   * Pacers in front of {@code store}, which they listen to.
   *
   * @param maxQueued the longest queue of a group
   * @param inFlight how many of its calls may be in flight
   */
  public Pacers(
      ScheduleStore store,
      TimeSource time,
      Pace pace,
      ToIntFunction<GroupKey> maxQueued,
      Function<GroupKey, Optional<InFlight>> inFlight) {
    this.store = store;
    this.time = time;
    this.pace = pace;
    this.maxQueued = maxQueued;
    this.inFlight = inFlight;
    store.listen(this);
  }

  /** Starts a call on its way; {@code end} is told once, possibly within this call. */
  public Passage pass(List<Stage> stages, Passage.Terms terms, Passage.End end) {
    Passage passage = new Passage(this, stages, terms, end);
    passage.begin();
    return passage;
  }

  void enter(Group group, Waiter waiter, long delayNanos) {
    while (!pacer(group).enter(waiter, delayNanos)) {
      // Retired between the look-up and the entrance: the next look-up makes its successor.
      pacers.computeIfPresent(group.key(), (key, pacer) -> pacer.retireIfIdle() ? null : pacer);
    }
  }

  private Pacer pacer(Group group) {
    Pacer pacer = pacers.get(group.key());
    if (pacer == null) {
      pacer = pacers.computeIfAbsent(group.key(), key -> make(group));
      scheduleSweep();
    } else if (!pacer.group().limits().equals(group.limits())) {
      pacer.regroup(group);
    }
    return pacer;
  }

  private Pacer make(Group group) {
    Pace own = pace.withMaxQueued(maxQueued.applyAsInt(group.key()));
    Pacer pacer = new Pacer(group, store, time, own, inFlight.apply(group.key()).orElse(null));
    if (closed) {
      pacer.close();
    }
    return pacer;
  }

  void cancel(Group group, Waiter waiter) {
    Pacer pacer = pacers.get(group.key());
    if (pacer != null) {
      pacer.cancel(waiter, RefusalReason.CANCELLED);
    }
  }

  void giveBack(Stage stage, long start) {
    Pacer pacer = pacers.get(stage.group().key());
    if (pacer == null || !pacer.giveBack(start, stage.cost())) {
      long[] delta = stage.cost().clone();
      for (int i = 0; i < delta.length; i++) {
        delta[i] = -delta[i];
      }
      store.settle(stage.group(), start, delta);
    }
  }

  /** The request of a permit leaves now: a late one moves the schedule; whether it is. */
  public boolean sent(Stage stage, long start, long now) {
    Pacer pacer = pacers.get(stage.group().key());
    if (pacer == null && now - start <= Turn.MIN_LATENESS_NANOS) {
      return false;
    }
    Pacer in = pacer == null ? pacer(stage.group()) : pacer;
    return in.sent(start, now, stage.cost());
  }

  @Override
  public void cooldown(GroupKey group, long until) {
    Pacer pacer = pacers.get(group);
    if (pacer != null) {
      pacer.cooldown(until);
    }
    others.forEach(other -> other.cooldown(group, until));
  }

  @Override
  public void cooldownCleared(GroupKey group) {
    Pacer pacer = pacers.get(group);
    if (pacer != null) {
      pacer.cooldownCleared();
    }
    others.forEach(other -> other.cooldownCleared(group));
  }

  /** Tells somebody else of what the store tells, too. */
  public void tell(StoreListener other) {
    others.add(other);
  }

  @Override
  public void moved(GroupKey group, long micros) {
    Pacer pacer = pacers.get(group);
    if (pacer != null) {
      pacer.moved(micros);
    }
  }

  @Override
  public void slotFree(GroupKey group) {
    Pacer pacer = pacers.get(group);
    if (pacer != null) {
      pacer.slotFree();
    }
  }

  /** True if somebody may be waiting for one of the groups, so that a newcomer has to queue. */
  public boolean anyWaits(List<Stage> stages) {
    if (pacers.isEmpty()) {
      return false;
    }
    for (Stage stage : stages) {
      Pacer pacer = pacers.get(stage.group().key());
      if (pacer != null && pacer.busy()) {
        return true;
      }
    }
    return false;
  }

  /** Takes a permit for {@code stage} that was reserved ahead, if there is one: it is due now. */
  public boolean takeAhead(Stage stage, long now) {
    Pacer pacer = pacers.get(stage.group().key());
    return pacer != null && pacer.takeAhead(stage.cost(), now);
  }

  /** How many permits of a group are reserved here and not handed out. */
  public long reserved(GroupKey key) {
    Pacer pacer = pacers.get(key);
    return pacer == null ? 0 : pacer.reserved();
  }

  /** The groups of an upstream that somebody may wait for. */
  public List<Group> groupsOf(String upstream) {
    return pacers.entrySet().stream()
        .filter(entry -> entry.getKey().upstream().equals(upstream))
        .map(entry -> entry.getValue().group())
        .toList();
  }

  /** How many callers wait, over all groups. */
  public long queued() {
    return pacers.values().stream().mapToLong(Pacer::queued).sum();
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
    for (GroupKey key : pacers.keySet()) {
      pacers.computeIfPresent(key, (k, pacer) -> pacer.retireIfIdle() ? null : pacer);
    }
    if (!pacers.isEmpty()) {
      scheduleSweep();
    }
  }

  /** Refuses everybody who waits, and whoever comes. Does not close the store. */
  @Override
  public void close() {
    closed = true;
    Timer timer = sweep.getAndSet(null);
    if (timer != null) {
      timer.cancel();
    }
    pacers.values().forEach(Pacer::close);
  }
}
