package dev.paceline.store;

import dev.paceline.limit.Algorithm;
import dev.paceline.limit.GroupSchedule;
import dev.paceline.limit.Limit;
import dev.paceline.limit.LimitState;
import dev.paceline.limit.Snapshot;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One group's schedule with everything that a single number cannot hold: several limits, windows, a
 * cooldown, a guard, a reserved run. Used under its own lock.
 */
final class LockedSchedule {

  private final LocalClock clock;
  private final ReentrantLock lock = new ReentrantLock();

  private final List<Limit> limits;
  private final boolean wallAligned;

  // Guarded by the lock; instants are microseconds of the clock.
  private GroupSchedule schedule;
  private boolean cooling;
  private long cooldownUntil;

  LockedSchedule(LocalClock clock, GroupSchedule schedule) {
    this.clock = clock;
    this.limits = schedule.limits();
    this.schedule = schedule;
    this.wallAligned = alignsToWall(limits);
  }

  private static boolean alignsToWall(List<Limit> limits) {
    return limits.stream()
        .anyMatch(
            limit ->
                limit.algorithm() == Algorithm.FIXED_WINDOW
                    || limit.algorithm() == Algorithm.SLIDING_WINDOW_COUNTER);
  }

  void lock() {
    lock.lock();
    if (wallAligned) {
      schedule.align(clock.wallOffset());
    }
  }

  void unlock() {
    lock.unlock();
  }

  /** Takes over what a cell has charged. */
  void restore(LimitState state) {
    if (state instanceof LimitState.Unused) {
      schedule = new GroupSchedule(limits);
    } else {
      schedule.restore(new Snapshot(List.of(state)));
    }
  }

  /** The state of the only limit. */
  LimitState state() {
    return schedule.snapshot().limits().get(0);
  }

  /** True if nothing counts any more that was charged, and nothing slows the schedule. */
  boolean isNew(long now) {
    return schedule.fullAt() <= now && isPlain(now);
  }

  /** True if nothing but its limits slows the schedule. */
  boolean isPlain(long now) {
    return schedule.guard() == 0 && from(now) == now && !schedule.isSlowed();
  }

  /** The schedule under other limits, with its debt in permits and its cooldown. */
  LockedSchedule reconfigured(List<Limit> newLimits) {
    long now = clock.micros();
    LockedSchedule next =
        new LockedSchedule(clock, schedule.reconfigured(newLimits, now, from(now)));
    next.cooling = cooling;
    next.cooldownUntil = cooldownUntil;
    return next;
  }

  private long from(long now) {
    if (cooling && cooldownUntil - now <= 0) {
      cooling = false;
    }
    return cooling ? cooldownUntil : now;
  }

  private long cooldownNanos(long now) {
    return clock.nanos(cooling ? cooldownUntil : now);
  }

  Reply ask(Ask ask, int workers) {
    if (ask.lateMicros() > 0) {
      schedule.delay(ask.lateMicros());
    }
    long now = clock.micros();
    long from = from(now);
    long earliest = schedule.earliest(from, ask.cost());
    if (earliest == GroupSchedule.NEVER) {
      return Reply.without(Reply.Kind.NEVER);
    }
    if (earliest - now > ask.latestMicros()) {
      return Reply.tooLate(clock.nanos(earliest), cooldownNanos(now), workers);
    }
    long[] starts = new long[ask.permits()];
    int count = schedule.run(from, ask.cost(), starts.length, ask.quantumMicros(), starts);
    starts = count == starts.length ? starts : Arrays.copyOf(starts, count);
    for (int i = 0; i < count; i++) {
      starts[i] = clock.nanos(starts[i]);
    }
    return Reply.reserved(starts, cooldownNanos(now), workers);
  }

  long waitNanos(long[] ahead, long[] cost) {
    long now = clock.micros();
    long earliest = schedule.earliestBehind(from(now), ahead, cost);
    return earliest == GroupSchedule.NEVER ? ScheduleStore.NEVER : (earliest - now) * 1_000;
  }

  /** Returns when the cooldown ends: a reading of the ticker. */
  long cooldown(Duration lasting) {
    long now = clock.micros();
    long until = now + micros(lasting);
    if (from(now) == now || until - cooldownUntil > 0) {
      cooling = true;
      cooldownUntil = until;
      schedule.notBefore(until);
    }
    return clock.nanos(cooldownUntil);
  }

  boolean clearCooldown() {
    long now = clock.micros();
    if (from(now) != now) {
      schedule.resumeAt(cooldownUntil, now);
    }
    cooling = false;
    return true;
  }

  boolean late(long micros) {
    schedule.delay(micros);
    return true;
  }

  boolean settle(long start, long[] delta) {
    schedule.adjust(clock.micros(start), clock.micros(), delta);
    return true;
  }

  boolean slow(int limit, long permits, Duration lasting) {
    long now = clock.micros();
    long length = micros(lasting);
    if (length <= 0) {
      return false;
    }
    long first = permits <= 0 ? now + length : now;
    schedule.slow(limit, first, now + length, length, Math.max(1, permits));
    return true;
  }

  boolean guard(Duration extra) {
    schedule.guard(micros(extra));
    return true;
  }

  /** The first start at or after now, or {@link GroupSchedule#NEVER}. */
  long earliest(long now, long[] cost) {
    return schedule.earliest(from(now), cost);
  }

  long remaining(long now) {
    return from(now) == now ? schedule.remaining(now) : 0;
  }

  long fullAt() {
    return schedule.fullAt();
  }

  /** The name of the limit that decides when the call can start. */
  String binding(long now, long[] cost) {
    return limits.get(schedule.bindingLimit(now, cost)).name();
  }

  boolean conforms(long now, long[] cost) {
    return from(now) == now && schedule.earliest(now, cost) == now;
  }

  void take(long now, long[] cost) {
    schedule.take(now, cost);
  }

  GroupView view(int workers) {
    long now = clock.micros();
    long from = from(now);
    long[] one = new long[limits.size()];
    Arrays.fill(one, 1);
    long ahead = Math.max(0, schedule.earliest(from, one) - now);
    return new GroupView(
        remaining(now),
        Duration.of(ahead, ChronoUnit.MICROS),
        Duration.of(from - now, ChronoUnit.MICROS),
        Duration.of(schedule.guard(), ChronoUnit.MICROS),
        workers);
  }

  private static long micros(Duration duration) {
    // Three hundred years: enough for any wait, and far from overflow in nanoseconds.
    Duration longest = Duration.ofDays(36_500);
    return (duration.compareTo(longest) > 0 ? longest : duration).toNanos() / 1_000;
  }
}
