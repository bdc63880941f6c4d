package dev.paceline.testkit;

import dev.paceline.time.TimeSource;
import dev.paceline.time.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Time that moves only when told to, or when a caller parks.
 *
 * <p>{@link #advance} runs the timers that fall due, in order, on the calling thread, each at its
 * own instant. A thread that parks, in a virtual time made by {@link #autoAdvancing()}, moves the
 * clock to the next timer itself until it is unparked or its time is over: a single-threaded test
 * of blocking calls takes no real time. Otherwise it waits until another thread advances the clock.
 *
 * <p>Thread-safe; with several parking threads the order in which they move the clock is the
 * machine's, so tests that must be exact drive one thread.
 */
public final class VirtualTime implements TimeSource {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final TreeSet<Entry> timers = new TreeSet<>();
  private final Set<Thread> unparked = new HashSet<>();
  private final boolean autoAdvance;
  private final long origin;
  private long elapsed;
  private long epochMicros;
  private long seq;

  private VirtualTime(boolean autoAdvance, long origin, Instant wall) {
    this.autoAdvance = autoAdvance;
    this.origin = origin;
    this.epochMicros = wall.getEpochSecond() * 1_000_000L + wall.getNano() / 1_000;
  }

  /** A clock that only {@link #advance} moves; it starts at 2026-01-01T00:00Z. */
  public static VirtualTime create() {
    return startingAt(0, Instant.parse("2026-01-01T00:00:00Z"));
  }

  /** A clock that a parking caller moves by itself. */
  public static VirtualTime autoAdvancing() {
    return new VirtualTime(true, 0, Instant.parse("2026-01-01T00:00:00Z"));
  }

  /**
   * A clock that only {@link #advance} moves.
   *
   * @param nanoOrigin the first value of {@link #nanoTime}; any, since it may wrap
   * @param wall the first value of the wall clock
   */
  public static VirtualTime startingAt(long nanoOrigin, Instant wall) {
    return new VirtualTime(false, nanoOrigin, wall);
  }

  @Override
  public long nanoTime() {
    lock.lock();
    try {
      return origin + elapsed;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long epochMicros() {
    lock.lock();
    try {
      return epochMicros + elapsed / 1_000;
    } finally {
      lock.unlock();
    }
  }

  /** The virtual time that has passed since the start. */
  public Duration elapsed() {
    lock.lock();
    try {
      return Duration.ofNanos(elapsed);
    } finally {
      lock.unlock();
    }
  }

  /** Steps the wall clock, as a time server would; the monotonic clock does not notice. */
  public void stepWallClock(Duration step) {
    lock.lock();
    try {
      epochMicros += step.toNanos() / 1_000;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Timer schedule(Runnable task, long delayNanos) {
    lock.lock();
    try {
      Entry entry = new Entry(saturatedAdd(elapsed, Math.max(0, delayNanos)), seq++, task);
      timers.add(entry);
      changed.signalAll();
      return () -> cancel(entry);
    } finally {
      lock.unlock();
    }
  }

  private void cancel(Entry entry) {
    lock.lock();
    try {
      timers.remove(entry);
    } finally {
      lock.unlock();
    }
  }

  /** Moves the clock by {@code step} and runs what falls due on the way, each at its instant. */
  public void advance(Duration step) {
    if (step.isNegative()) {
      throw new IllegalArgumentException("step is " + step + "; time only moves forward");
    }
    long target = saturatedAdd(elapsed().toNanos(), step.toNanos());
    while (runNext(target)) {}
    lock.lock();
    try {
      elapsed = Math.max(elapsed, target);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Runs everything that is due now, moving the clock not at all. */
  public void runDue() {
    advance(Duration.ZERO);
  }

  /** The instant of the next timer as time since the start, or 292 years if there is none. */
  public Duration nextTimer() {
    lock.lock();
    try {
      return Duration.ofNanos(timers.isEmpty() ? Long.MAX_VALUE : timers.first().at);
    } finally {
      lock.unlock();
    }
  }

  private boolean runNext(long target) {
    Entry next;
    lock.lock();
    try {
      if (timers.isEmpty() || timers.first().at > target) {
        return false;
      }
      next = timers.pollFirst();
      elapsed = Math.max(elapsed, next.at);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    next.task.run();
    return true;
  }

  @Override
  public void park(Object blocker, long nanos) {
    Thread self = Thread.currentThread();
    long until = saturatedAdd(elapsed().toNanos(), Math.max(0, nanos));
    while (!takeUnpark(self) && !self.isInterrupted() && elapsed().toNanos() < until) {
      if (!autoAdvance) {
        awaitChange(until);
      } else if (!runNext(until)) {
        moveTo(until);
      }
    }
  }

  private void moveTo(long target) {
    lock.lock();
    try {
      elapsed = Math.max(elapsed, target);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void awaitChange(long until) {
    lock.lock();
    try {
      while (elapsed < until && !unparked.contains(Thread.currentThread())) {
        changed.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  private boolean takeUnpark(Thread self) {
    lock.lock();
    try {
      return unparked.remove(self);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void unpark(Thread thread) {
    lock.lock();
    try {
      unparked.add(thread);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static long saturatedAdd(long a, long b) {
    long sum = a + b;
    return sum < a ? Long.MAX_VALUE : sum;
  }

  private static final class Entry implements Comparable<Entry> {
    final long at;
    final long seq;
    final Runnable task;

    Entry(long at, long seq, Runnable task) {
      this.at = at;
      this.seq = seq;
      this.task = task;
    }

    @Override
    public int compareTo(Entry other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(seq, other.seq);
    }
  }
}
