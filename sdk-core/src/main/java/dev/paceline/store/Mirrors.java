package dev.paceline.store;

import dev.paceline.time.TimeSource;
import dev.paceline.time.Timer;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The mirrors of a worker, by group. One is forgotten only when it knows nothing that a new one
 * would not, so no debt is dropped early; beyond the capacity new groups of a rule share one.
 * Thread-safe.
 */
final class Mirrors {

  private static final String OVERFLOW_OWNER = "*overflow*";
  private static final long SWEEP_NANOS = 5_000_000_000L;

  private final TimeSource time;
  private final LocalClock clock;
  private final int capacity;
  private final Consumer<Mirror> leftOver;
  private final RemoteClock remoteClock = new RemoteClock();
  private final ConcurrentHashMap<GroupKey, Mirror> mirrors = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Timer> sweep = new AtomicReference<>();
  private volatile boolean closed;

  /**
   * None yet.
   *
   * @param leftOver told now and then of mirrors that still have something to tell
   */
  Mirrors(TimeSource time, int capacity, Consumer<Mirror> leftOver) {
    this.leftOver = leftOver;
    this.time = time;
    this.clock = new LocalClock(time);
    this.capacity = capacity;
  }

  /** The group's mirror, locked; the caller unlocks it. */
  Mirror lock(Group group) {
    while (true) {
      Mirror mirror = mirrors.get(group.key());
      if (mirror == null) {
        mirror = make(group);
      }
      if (mirror.lockFor(group)) {
        return mirror;
      }
      mirrors.remove(group.key(), mirror);
    }
  }

  /** The mirror that there is, locked; null if there is none. */
  @Nullable Mirror lockKnown(GroupKey key) {
    Mirror mirror = mirrors.get(key);
    return mirror != null && mirror.lock() ? mirror : null;
  }

  private Mirror make(Group group) {
    GroupKey key = group.key();
    if (mirrors.size() >= capacity) {
      key = new GroupKey(key.upstream(), OVERFLOW_OWNER, key.rule());
    }
    Group stored = key.equals(group.key()) ? group : new Group(key, group.limits());
    Mirror mirror = mirrors.computeIfAbsent(key, k -> new Mirror(stored, clock, remoteClock));
    scheduleSweep();
    return mirror;
  }

  Collection<Mirror> all() {
    return mirrors.values();
  }

  int size() {
    return mirrors.size();
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
    long now = time.nanoTime();
    mirrors.forEach(
        (key, mirror) -> {
          if (mirror.retireIfNew(now)) {
            mirrors.remove(key, mirror);
          } else {
            leftOver.accept(mirror);
          }
        });
    if (!mirrors.isEmpty()) {
      scheduleSweep();
    }
  }

  void close() {
    closed = true;
    Timer timer = sweep.getAndSet(null);
    if (timer != null) {
      timer.cancel();
    }
  }
}
