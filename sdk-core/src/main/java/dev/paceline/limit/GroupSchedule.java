package dev.paceline.limit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of the limits of one rule and one owner, decided and charged together: a call starts at
 * the first instant that conforms to all of them, and all of them are charged at that instant, or
 * none is.
 *
 * <p>Mutable and explicitly owned: not thread-safe, the owner locks. Reads no clock. Instants are
 * whole microseconds of any monotonic clock, which may be negative or wrap; they are compared by
 * their differences. Starts are rounded up to a microsecond, never down. Costs are given for each
 * limit, in the group's order; a cost of 0 means that the call does not concern that limit.
 */
public final class GroupSchedule {
  /** The start of what can never start, because its cost exceeds a limit's capacity. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final long LONGEST_GUARD_MICROS = 3_600_000_000L;
  private static final long LONGEST_RESUMPTION_MICROS = 60_000_000L;

  private final List<Limit> limits;
  private final LimitSchedule[] schedules;

  private @Nullable Overlay overlay;
  private long offset;
  private long guardMicros;

  /**
   * A group that has charged nothing.
   *
   * @param limits at least one
   */
  public GroupSchedule(List<Limit> limits) {
    this.limits = List.copyOf(limits);
    if (limits.isEmpty()) {
      throw new IllegalArgumentException("limits is empty: a group has at least one limit");
    }
    schedules = new LimitSchedule[limits.size()];
    for (int i = 0; i < schedules.length; i++) {
      schedules[i] = scheduleOf(limits.get(i));
    }
  }

  private static LimitSchedule scheduleOf(Limit limit) {
    return switch (limit.algorithm()) {
      case GCRA, TOKEN_BUCKET -> new Gcra(limit.emissionInterval(), limit.burst());
      case FIXED_WINDOW -> new GuardedWindow(new FixedWindow(limit), limit);
      case SLIDING_WINDOW_LOG -> new GuardedWindow(new SlidingLog(limit), limit);
      case SLIDING_WINDOW_COUNTER -> new GuardedWindow(new SlidingCounter(limit), limit);
    };
  }

  /** The group's limits. */
  public List<Limit> limits() {
    return limits;
  }

  /**
   * The first instant at or after {@code at} at which a call can start.
   *
   * @return the instant, or {@link #NEVER}
   */
  public long earliest(long at, long[] costs) {
    LimitChecks.costs(costs, schedules.length);
    // Where a limit conforms it keeps conforming, so the latest answer conforms to all of them.
    long start = at;
    for (int i = 0; i < schedules.length; i++) {
      if (costs[i] > 0) {
        if (costs[i] > schedules[i].capacity()) {
          return NEVER;
        }
        start = ExactMath.later(start, schedules[i].earliest(at, costs[i]));
      }
    }
    if (overlay != null) {
      start = ExactMath.later(start, overlay.earliest(at, costs));
    }
    return finite(start);
  }

  /** On a clock that wraps, the one instant that means never is passed over. */
  private static long finite(long instant) {
    return instant == NEVER ? instant + 1 : instant;
  }

  /**
   * Charges a call to all its limits at one instant, whether it conforms there or not: what {@link
   * #earliest} answered, or when it was in fact sent.
   */
  public void take(long at, long[] costs) {
    LimitChecks.costs(costs, schedules.length);
    for (int i = 0; i < schedules.length; i++) {
      if (costs[i] > 0) {
        schedules[i].take(at, costs[i]);
      }
    }
    if (overlay != null) {
      overlay.take(at, costs);
    }
  }

  /** Charges what was sent elsewhere from {@code at} on, the last of it at {@code last}. */
  public void charge(long at, long last, long[] costs) {
    LimitChecks.costs(costs, schedules.length);
    for (int i = 0; i < schedules.length; i++) {
      if (costs[i] > 0) {
        schedules[i].charge(at, last, costs[i]);
      }
    }
    if (overlay != null) {
      overlay.take(at, costs);
    }
  }

  /**
   * Reserves a run of calls of one cost: the first at its earliest start, however far ahead that
   * is, and those after it that start within a quantum of it.
   *
   * @param maxPermits the most to reserve, at least 1
   * @param startsOut receives the starts, which never fall; at least as long as {@code maxPermits}
   * @return how many were reserved; 0 if the call can never start
   */
  public int run(long at, long[] costs, int maxPermits, long quantumMicros, long[] startsOut) {
    long first = earliest(at, costs);
    long start = first;
    int reserved = 0;
    while (start != NEVER && reserved < maxPermits && start - first <= quantumMicros) {
      take(start, costs);
      startsOut[reserved++] = start;
      start = earliest(start, costs);
    }
    return reserved;
  }

  /** The whole permits left at {@code at}: the least over the limits. */
  public long remaining(long at) {
    long least = Long.MAX_VALUE;
    for (LimitSchedule schedule : schedules) {
      least = Math.min(least, schedule.remaining(at));
    }
    return overlay != null && overlay.holds(at) ? 0 : least;
  }

  /** As {@link #remaining(long)}, of one limit. */
  public long remaining(int limit, long at) {
    return schedules[limit].remaining(at);
  }

  /** The index of the limit that decides when the call can start. */
  public int bindingLimit(long at, long[] costs) {
    LimitChecks.costs(costs, schedules.length);
    int binding = 0;
    boolean found = false;
    long latest = at;
    for (int i = 0; i < schedules.length; i++) {
      if (costs[i] > schedules[i].capacity()) {
        return i;
      }
      if (costs[i] > 0) {
        long start = schedules[i].earliest(at, costs[i]);
        if (!found || start - latest > 0) {
          found = true;
          binding = i;
          latest = start;
        }
      }
    }
    return binding;
  }

  /**
   * A lower bound of the start of a call behind others that start as soon as they can: exact for a
   * single {@code gcra} or {@code token-bucket}, and for {@code fixed-window} and costs of 1.
   *
   * @param aheadCosts the total cost of those calls for each limit
   * @return the instant, or {@link #NEVER}
   */
  public long earliestBehind(long at, long[] aheadCosts, long[] costs) {
    LimitChecks.costs(aheadCosts, schedules.length);
    long start = earliest(at, costs);
    if (start == NEVER) {
      return NEVER;
    }
    for (int i = 0; i < schedules.length; i++) {
      if (costs[i] > 0 && aheadCosts[i] > 0) {
        start = ExactMath.later(start, schedules[i].earliestBehind(at, aheadCosts[i], costs[i]));
      }
    }
    return finite(start);
  }

  /**
   * Settles estimated costs. A positive delta charges more, and is never refused: the next starts
   * move. A negative one gives back what time has not paid for already.
   *
   * @param chargedAt the start at which the call was charged
   * @param at now
   * @param deltas real cost minus charged cost, for each limit
   */
  public void adjust(long chargedAt, long at, long[] deltas) {
    LimitChecks.oneForEach(deltas.length, schedules.length);
    for (int i = 0; i < schedules.length; i++) {
      if (deltas[i] != 0) {
        schedules[i].adjust(chargedAt, at, deltas[i]);
      }
    }
  }

  /** Moves the schedule later by the lateness of a send; windows do not move. */
  public void delay(long micros) {
    for (LimitSchedule schedule : schedules) {
      schedule.delay(micros);
    }
    if (overlay != null) {
      overlay.delay(micros);
    }
  }

  /**
   * Resumes after a cooldown at the schedule's pace, without a saved burst: the first call not
   * before {@code instant}. A group of windows only is paced by its shortest window's interval for
   * a period, at most a minute: by then a herd has dispersed, and no day's quota is stretched over
   * it.
   */
  public void notBefore(long instant) {
    boolean paced = false;
    int shortest = 0;
    for (int i = 0; i < schedules.length; i++) {
      if (schedules[i] instanceof Gcra gcra) {
        gcra.notBefore(instant);
        paced = true;
      }
      if (limits.get(i).periodMicros() < limits.get(shortest).periodMicros()) {
        shortest = i;
      }
    }
    if (!paced) {
      Limit limit = limits.get(shortest);
      long length = Math.min(limit.periodMicros(), LONGEST_RESUMPTION_MICROS);
      impose(Overlay.of(shortest, instant, instant + length, limit.emissionInterval()));
    }
  }

  /**
   * Adds one more limit, of burst 1 and one permit a call, that lives until an instant; it can only
   * slow the schedule. It replaces another only if it is slower, or the other's time is over.
   *
   * @param fromMicros the first start that it allows
   * @param untilMicros from here on it does not count
   * @param intervalNumeratorMicros the time in which it allows {@code permits}, at least 1
   * @param permits at least 1
   */
  public void slow(long fromMicros, long untilMicros, long intervalNumeratorMicros, long permits) {
    slow(Overlay.EVERY_CALL, fromMicros, untilMicros, intervalNumeratorMicros, permits);
  }

  /**
   * As {@link #slow(long, long, long, long)}, but charged with the calls' costs for one limit.
   *
   * @param limit the limit's index
   */
  public void slow(
      int limit, long fromMicros, long untilMicros, long intervalNumeratorMicros, long permits) {
    LimitChecks.positive("intervalNumeratorMicros", intervalNumeratorMicros);
    LimitChecks.positive("permits", permits);
    EmissionInterval interval = EmissionInterval.of(permits, intervalNumeratorMicros);
    impose(Overlay.of(limit, fromMicros, untilMicros, interval));
  }

  private void impose(Overlay next) {
    if (overlay == null) {
      overlay = next;
    } else if (next.replaces(overlay)) {
      overlay = next.after(overlay);
    }
  }

  /** Takes {@link #notBefore} back: what comes after {@code instant} moves to {@code at}. */
  public void resumeAt(long instant, long at) {
    for (LimitSchedule schedule : schedules) {
      if (schedule instanceof Gcra gcra) {
        gcra.resumeAt(instant, at);
      }
    }
    overlay = overlay == null ? null : overlay.resumedAt(instant, at);
  }

  /** Whether something imposed by {@link #slow} or {@link #notBefore} is kept. */
  public boolean isSlowed() {
    return overlay != null;
  }

  /**
   * Adds a guard to the time that each permit takes. A window has no such time; under a guard it is
   * also a token bucket of its permits that refills at the guarded interval.
   *
   * @param extraMicros at least 0, at most an hour; 0 ends the guard
   */
  public void guard(long extraMicros) {
    long extra = Math.max(0, Math.min(extraMicros, LONGEST_GUARD_MICROS));
    if (extra == guardMicros) {
      return;
    }
    guardMicros = extra;
    for (LimitSchedule schedule : schedules) {
      schedule.guard(extra);
    }
  }

  /** The guard in microseconds. */
  public long guard() {
    return guardMicros;
  }

  /**
   * Sets where the windows begin: at {@code instant + offsetMicros} on the wall clock. No window is
   * entered backwards; a wall clock that steps back by a period or more takes the counts along.
   */
  public void align(long offsetMicros) {
    offset = offsetMicros;
    for (LimitSchedule schedule : schedules) {
      schedule.align(offsetMicros);
    }
  }

  /**
   * The same group under other limits, with its debt kept in permits: neither a fresh burst nor a
   * longer stall. Limits that keep their name are matched by it, others by their place.
   */
  public GroupSchedule reconfigured(List<Limit> newLimits, long at) {
    return reconfigured(newLimits, at, at);
  }

  /** As the other, during a cooldown that ends at {@code from}: its time is no debt. */
  public GroupSchedule reconfigured(List<Limit> newLimits, long at, long from) {
    GroupSchedule next = new GroupSchedule(newLimits);
    next.align(offset);
    for (int i = 0; i < next.schedules.length; i++) {
      int old = DebtTransfer.counterpart(limits, next.limits.get(i), i);
      if (old >= 0) {
        boolean sameWindows = DebtTransfer.sameWindows(limits.get(old), next.limits.get(i));
        DebtTransfer.carry(schedules[old], next.schedules[i], sameWindows, at, from);
      }
    }
    next.guard(guardMicros);
    next.overlay = next.schedules.length == schedules.length ? overlay : null;
    if (from - at > 0) {
      next.notBefore(from);
    }
    return next;
  }

  /** A copy of what was charged; the guard and what {@link #slow} imposed are not part of it. */
  public Snapshot snapshot() {
    List<LimitState> states = new ArrayList<>(schedules.length);
    for (LimitSchedule schedule : schedules) {
      states.add(schedule.state());
    }
    return new Snapshot(states);
  }

  /** Replaces what was charged by a snapshot; states of other algorithms change nothing. */
  public void restore(Snapshot snapshot) {
    for (int i = 0; i < Math.min(schedules.length, snapshot.limits().size()); i++) {
      schedules[i].restore(snapshot.limits().get(i));
    }
  }

  /**
   * Takes over what a snapshot of the same schedule knows and this one has lost: the later arrival
   * time, the later window, the larger count.
   */
  public void merge(Snapshot snapshot) {
    for (int i = 0; i < Math.min(schedules.length, snapshot.limits().size()); i++) {
      schedules[i].merge(snapshot.limits().get(i));
    }
  }

  /** When the group is as good as new; {@link Long#MIN_VALUE} if nothing was charged. */
  public long fullAt() {
    long full = Long.MIN_VALUE;
    for (LimitSchedule schedule : schedules) {
      full = laterIfAny(full, schedule.fullAt());
    }
    return overlay == null ? full : laterIfAny(full, overlay.until());
  }

  private static long laterIfAny(long a, long b) {
    return a == Long.MIN_VALUE || b == Long.MIN_VALUE ? Math.max(a, b) : ExactMath.later(a, b);
  }
}
