package dev.paceline.store;

import dev.paceline.limit.GroupSchedule;
import dev.paceline.limit.Limit;
import dev.paceline.limit.LimitState;
import dev.paceline.limit.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One worker's part of a fleet's limits: pure arithmetic.
 *
 * <p>A limit of {@code gcra} or {@code token-bucket} keeps its permits over a period times the
 * workers, so that the workers' rates add up to the limit; each worker begins one emission interval
 * after the one before it, so that they do not send together. A window's quota is split by rank,
 * exact in sum; where it is less than the workers, each paces itself at the interval times the
 * workers.
 *
 * @param workers how many there are, at least 1
 * @param rank this one's place among them, from 0
 */
record Share(int workers, int rank) {

  /** This worker's limits, in the group's order, each under its limit's name. */
  List<Limit> limits(List<Limit> whole) {
    List<Limit> mine = new ArrayList<>(whole.size());
    for (Limit limit : whole) {
      mine.add(of(limit));
    }
    return mine;
  }

  private Limit of(Limit limit) {
    if (workers == 1) {
      return limit;
    }
    if (limit.algorithm().hasBurst()) {
      return slowed(limit, Math.max(1, limit.burst() / workers));
    }
    if (limit.permits() < workers) {
      return slowed(limit, 1);
    }
    Limit part = Limit.of(part(limit.permits())).per(limit.period());
    Limit same =
        switch (limit.algorithm()) {
          case FIXED_WINDOW -> limit.zone().map(part::fixedWindow).orElseGet(part::fixedWindow);
          case SLIDING_WINDOW_LOG -> part.slidingWindowLog();
          default -> part.slidingWindowCounter();
        };
    return same.unit(limit.unit()).named(limit.name());
  }

  private Limit slowed(Limit limit, long burst) {
    Limit slow;
    try {
      Duration period = limit.period().multipliedBy(workers);
      slow = Limit.of(limit.permits()).per(period).tokenBucket(burst);
    } catch (IllegalArgumentException | ArithmeticException e) {
      // Not exact in 53 bits: whole permits of the same period instead, which is slower.
      slow = Limit.of(Math.max(1, limit.permits() / workers)).per(limit.period()).tokenBucket(1);
    }
    return slow.unit(limit.unit()).named(limit.name());
  }

  private long part(long quota) {
    return quota / workers + (rank < quota % workers ? 1 : 0);
  }

  /** This worker's part of what the fleet has used of a quota. */
  private long used(long quota, long used) {
    return part(quota) - part(Math.max(0, quota - used));
  }

  /**
   * What this worker has charged when the fleet's schedule stands as given: it saves no burst up,
   * and the parts of all workers add up to the fleet's.
   *
   * @param whole the fleet's schedule
   * @param now on its clock
   * @param lapMicros how much more may have been reserved since
   */
  Snapshot state(GroupSchedule whole, long now, long lapMicros) {
    List<LimitState> fleet = whole.snapshot().limits();
    List<LimitState> mine = new ArrayList<>(fleet.size());
    for (int i = 0; i < fleet.size(); i++) {
      boolean alone = workers == 1;
      mine.add(alone ? fleet.get(i) : state(fleet.get(i), whole, i, now, lapMicros));
    }
    return new Snapshot(mine);
  }

  private LimitState state(LimitState fleet, GroupSchedule whole, int at, long now, long lap) {
    Limit limit = whole.limits().get(at);
    if (limit.algorithm().hasBurst()) {
      return staggered(limit, arrival(limit, fleet, now) + lap, now);
    }
    if (limit.permits() < workers) {
      long[] one = new long[whole.limits().size()];
      one[at] = 1;
      return staggered(limit, whole.earliest(now, one), now);
    }
    long quota = limit.permits();
    if (fleet instanceof LimitState.Window window) {
      return new LimitState.Window(window.startMicros(), used(quota, window.count()));
    }
    if (fleet instanceof LimitState.TwoWindows two) {
      return new LimitState.TwoWindows(
          two.startMicros(), used(quota, two.current()), used(quota, two.previous()));
    }
    if (fleet instanceof LimitState.Log log) {
      return new LimitState.Log(runs(quota, log.runs()));
    }
    return fleet;
  }

  /** When the fleet's schedule is free again, for a worker whose share has a burst of 1 or more. */
  private long arrival(Limit limit, LimitState fleet, long now) {
    if (!(fleet instanceof LimitState.Arrival arrival)) {
      return now;
    }
    // With a burst of less than one each, the first permit comes when the fleet's would.
    long early = limit.burst() < workers ? (limit.burst() - 1) * micros(limit) : 0;
    return arrival.tatMicros() - early;
  }

  private LimitState staggered(Limit limit, long free, long now) {
    long from = free - now > 0 ? free : now;
    return new LimitState.Arrival(from + rank * micros(limit), 0);
  }

  /** The emission interval, rounded up. */
  private static long micros(Limit limit) {
    return limit.emissionInterval().wholeMicros()
        + (limit.emissionInterval().remainder() > 0 ? 1 : 0);
  }

  private List<LimitState.Run> runs(long quota, List<LimitState.Run> fleet) {
    List<LimitState.Run> mine = new ArrayList<>();
    long all = 0;
    for (LimitState.Run run : fleet) {
      long before = used(quota, all);
      all += run.count();
      long count = used(quota, all) - before;
      if (count > 0) {
        mine.add(new LimitState.Run(run.atMicros(), count));
      }
    }
    return mine;
  }
}
