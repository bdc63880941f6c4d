package dev.paceline.limit;

import org.jspecify.annotations.Nullable;

/** {@code gcra} and {@code token-bucket}: one theoretical arrival time. */
final class Gcra implements LimitSchedule {
  /*
   * The generic cell rate algorithm (ITU-T I.371, annex A, "virtual scheduling"). The theoretical
   * arrival time, TAT, is when the next call would be on schedule if all calls came evenly, one an
   * emission interval T. Every charge moves it by cost·T, from TAT or from the charge's own instant,
   * whichever is later. A call conforms if, after its charge, TAT is at most burst·T ahead of it:
   *
   *   earliest(at, cost) = max(at, max(TAT, at) + cost·T − burst·T)
   *   take(at, cost):  TAT = max(TAT, at) + cost·T
   *
   * A token bucket of capacity burst that refills one token every T is the same thing: it holds
   * burst − (TAT − at) ÷ T tokens. In any window of length W at most burst + W ÷ T are admitted.
   *
   * Exactness. TAT is whole microseconds plus a remainder over T's divisor, so nothing is ever rounded
   * away. Starts are whole microseconds, rounded up; a charge at exactly the rounded TAT was caused by
   * it, and counts from the unrounded one. Otherwise 3 calls a second would start at 0, 333,334 µs and
   * then drift by 2/3 µs a call.
   */

  /** A TAT further ahead than this, 285 years, is held there; it can only come from settling up. */
  static final long MAX_DEBT_MICROS = ExactMath.MAX_EXACT;

  private final EmissionInterval pace;
  private final long burst;

  /** The pace, plus the guard. */
  private EmissionInterval interval;

  private boolean used;
  private long tat;

  /** Below the interval's divisor. */
  private long remainder;

  /** The latest instant charged. */
  private long lastCharge;

  /** Made by the first charge that finds a debt; before, the least debt is none. */
  private @Nullable LeastDebt leastDebt;

  Gcra(EmissionInterval pace, long burst) {
    this.pace = pace;
    this.interval = pace;
    this.burst = burst;
  }

  @Override
  public long capacity() {
    return burst;
  }

  EmissionInterval pace() {
    return pace;
  }

  @Override
  public long earliest(long at, long cost) {
    return conforming(at, burst - cost);
  }

  /**
   * The first instant at or after {@code at} that TAT is at most {@code slack} intervals ahead of.
   */
  private long conforming(long at, long slack) {
    if (!used || ceilTat() - at <= 0) {
      return at;
    }
    long parts = remainder - slack * interval.remainder();
    long start =
        tat - slack * interval.wholeMicros() + ExactMath.ceilDiv(parts, interval.divisor());
    return ExactMath.later(at, start);
  }

  /** The first instant at or after {@code at} that TAT has passed: no burst is left for anyone. */
  long earliestUnburdened(long at) {
    return conforming(at, 0);
  }

  @Override
  public void take(long at, long cost) {
    if (!used || ceilTat() - at < 0) {
      tat = at;
      remainder = 0;
    }
    // Behind a start reserved further ahead, the debt at this instant is not known.
    boolean inOrder = !used || at - lastCharge >= 0;
    noteDebt(at, inOrder ? Math.max(0, tat - at) : 0);
    lastCharge = inOrder ? at : lastCharge;
    used = true;
    advance(at, cost);
  }

  /*
   * What has been sent by an instant leaves no more debt than a burst there. Where others have charged
   * at a later instant meanwhile, the time before it counts as idle, and all that was sent in it would
   * be added behind.
   */
  @Override
  public void charge(long at, long last, long cost) {
    boolean charged = used;
    long most = tat;
    long rest = remainder;
    take(at, cost);
    long parts = burst * interval.remainder();
    long bound = last + burst * interval.wholeMicros() + parts / interval.divisor();
    if (!charged || bound - most > 0) {
      most = bound;
      rest = parts % interval.divisor();
    }
    if (tat - most > 0 || (tat == most && remainder > rest)) {
      tat = most;
      remainder = rest;
      leastDebt = null;
    }
  }

  private void noteDebt(long at, long found) {
    if (leastDebt == null && found > 0) {
      // A charge has been paid for by time after burst·T, so nothing older can be given back.
      leastDebt = new LeastDebt(burst * pace.wholeMicros() / 2 + 1);
    }
    if (leastDebt != null) {
      leastDebt.found(at, found);
    }
  }

  private long ceilTat() {
    return remainder == 0 ? tat : tat + 1;
  }

  private void advance(long at, long cost) {
    long permits = Math.min(cost, farthest());
    long parts = remainder + permits * interval.remainder();
    tat += permits * interval.wholeMicros() + parts / interval.divisor();
    remainder = parts % interval.divisor();
    if (tat - at > MAX_DEBT_MICROS) {
      tat = at + MAX_DEBT_MICROS;
      remainder = 0;
    }
  }

  /**
   * The most permits of which the products above cannot overflow; more than any debt that is kept.
   */
  private long farthest() {
    long bound = 1L << 62;
    return Math.min(
        bound / (interval.wholeMicros() + 1), (bound - interval.divisor()) / interval.divisor());
  }

  @Override
  public long earliestBehind(long at, long ahead, long cost) {
    long slack = burst - cost - ahead;
    if (slack >= 0) {
      return conforming(at, slack);
    }
    long behind = Math.min(-slack, farthest());
    // As in take: at the rounded-up arrival time they are charged from the unrounded one.
    boolean idle = !used || ceilTat() - at < 0;
    long parts = (idle ? 0 : remainder) + behind * interval.remainder();
    long wait = behind * interval.wholeMicros() + ExactMath.ceilDiv(parts, interval.divisor());
    return (idle ? at : tat) + Math.min(wait, MAX_DEBT_MICROS);
  }

  @Override
  public long remaining(long at) {
    return Math.max(0, burst - debt(at));
  }

  @Override
  public long debt(long at) {
    if (!used || ceilTat() - at <= 0) {
      return 0;
    }
    return DebtMath.permits(tat - at, remainder, interval);
  }

  @Override
  public void owe(long at, long debt) {
    if (debt > 0) {
      take(at, debt);
    }
  }

  /**
   * Takes over the debt of a schedule with another interval or burst: in permits, to the exact part
   * of a microsecond.
   */
  void rescale(Gcra old, long at) {
    if (!old.used || old.ceilTat() - at <= 0) {
      return;
    }
    long[] debt =
        DebtMath.rescaled(old.tat - at, old.remainder, old.interval, interval, MAX_DEBT_MICROS);
    used = true;
    tat = at + debt[0];
    remainder = debt[1];
    lastCharge = old.lastCharge;
  }

  /**
   * Gives another schedule what is reserved after a cooldown, and its end.
   *
   * @param from when the cooldown ends
   */
  void resumeUnder(LimitSchedule next, long at, long from) {
    Gcra resumed = new Gcra(interval, burst);
    resumed.notBefore(from);
    // Beyond the first start after it: that no burst is left then is no debt either.
    long behind = used ? tat - resumed.tat : -1;
    long parts = remainder - resumed.remainder;
    if (parts < 0) {
      behind--;
      parts += interval.divisor();
    }
    if (next instanceof Gcra gcra) {
      gcra.notBefore(from);
      if (behind >= 0) {
        gcra.add(DebtMath.rescaled(behind, parts, interval, gcra.interval, MAX_DEBT_MICROS));
      }
    } else if (behind >= 0) {
      next.owe(at, DebtMath.permits(behind, parts, interval));
    }
  }

  private void add(long[] debt) {
    long parts = remainder + debt[1];
    tat += debt[0] + parts / interval.divisor();
    remainder = parts % interval.divisor();
  }

  @Override
  public void adjust(long chargedAt, long at, long delta) {
    if (delta > 0) {
      take(at, delta);
    } else if (delta < 0 && used) {
      giveBack(chargedAt, at, delta == Long.MIN_VALUE ? Long.MAX_VALUE : -delta);
    }
  }

  /*
   * Giving back c·T of a charge may lower TAT by at most the least debt that any later charge found, and
   * that there is now: where the debt was less, the schedule without the charge would have stood idle,
   * and idle time beyond the burst is lost. (Lindley's recursion: without the work of one arrival, the
   * idle time grows by what the later workloads fall short of it.) A start that was reserved after the
   * charge keeps its place in time, and counts as a later charge. Where the least debt is not known, it
   * is at least what time has not yet paid of the charge, oldest charge first.
   */
  private void giveBack(long chargedAt, long at, long permits) {
    long count = Math.min(permits, farthest());
    long parts = count * interval.remainder();
    long span = count * interval.wholeMicros() + parts / interval.divisor();
    long rest = parts % interval.divisor();
    long bound = bound(chargedAt, at, span);
    if (span + (rest > 0 ? 1 : 0) > bound) {
      span = bound;
      rest = 0;
    }
    tat -= span;
    remainder -= rest;
    if (remainder < 0) {
      remainder += interval.divisor();
      tat--;
    }
    if (leastDebt != null) {
      leastDebt.lowered(span + (rest > 0 ? 1 : 0));
    }
  }

  private long bound(long chargedAt, long at, long span) {
    long bound = Long.MAX_VALUE;
    if (lastCharge - chargedAt > 0) {
      long passed = ExactMath.later(at, lastCharge) - chargedAt;
      long least = leastDebt == null ? 0 : leastDebt.after(chargedAt);
      bound = Math.max(span - passed, least);
    }
    if (at - lastCharge > 0) {
      bound = Math.min(bound, tat - at);
    }
    return Math.max(0, bound);
  }

  @Override
  public void delay(long micros) {
    if (used) {
      tat += Math.max(0, Math.min(micros, MAX_DEBT_MICROS));
    }
  }

  /** Resumes at {@code instant} at the pace: the first call there, the next an interval later. */
  void notBefore(long instant) {
    if (!used) {
      lastCharge = instant;
    }
    long parts = (burst - 1) * interval.remainder();
    long resumed = instant + (burst - 1) * interval.wholeMicros() + parts / interval.divisor();
    long rest = parts % interval.divisor();
    if (!used || resumed - tat > 0 || (resumed == tat && rest > remainder)) {
      tat = resumed;
      remainder = rest;
    }
    used = true;
  }

  /** Takes {@link #notBefore} back: what comes after {@code instant} moves to {@code at}. */
  void resumeAt(long instant, long at) {
    if (used && tat - instant >= 0) {
      tat -= instant - at;
      lastCharge = ExactMath.later(at, lastCharge - (instant - at));
      if (leastDebt != null) {
        leastDebt.lowered(instant - at);
      }
    }
  }

  @Override
  public void guard(long extraMicros) {
    interval = pace.plus(extraMicros);
  }

  @Override
  public long fullAt() {
    return used ? ceilTat() : Long.MIN_VALUE;
  }

  @Override
  public LimitState state() {
    return used ? new LimitState.Arrival(tat, remainder) : new LimitState.Unused();
  }

  @Override
  public void restore(LimitState state) {
    if (state instanceof LimitState.Arrival arrival) {
      used = true;
      tat = arrival.tatMicros();
      remainder = Math.max(0, Math.min(arrival.remainder(), interval.divisor() - 1));
      // Of one permit, so that it is not before the real one.
      lastCharge = tat - interval.wholeMicros() + (remainder > interval.remainder() ? 1 : 0);
      leastDebt = null;
    } else if (state instanceof LimitState.Unused) {
      used = false;
    }
  }

  @Override
  public void merge(LimitState state) {
    if (state instanceof LimitState.Arrival arrival
        && (!used
            || arrival.tatMicros() - tat > 0
            || (arrival.tatMicros() == tat && arrival.remainder() > remainder))) {
      restore(arrival);
    }
  }
}
