package dev.paceline.limit;

/** One more limit of burst 1 that lives until an instant and can only slow a group. */
final class Overlay {
  /** In place of a limit's index: each call costs 1. */
  static final int EVERY_CALL = -1;

  private final int limit;
  private final long from;
  private final long until;
  private final Gcra pace;

  private Overlay(int limit, long from, long until, Gcra pace) {
    this.limit = limit;
    this.from = from;
    this.until = until;
    this.pace = pace;
  }

  static Overlay of(int limit, long from, long until, EmissionInterval interval) {
    Gcra pace = new Gcra(interval, 1);
    pace.notBefore(from);
    return new Overlay(limit, from, until, pace);
  }

  /** Takes {@code other}'s place: no start comes sooner than it would have let it. */
  Overlay after(Overlay other) {
    if (other.until - from > 0) {
      pace.notBefore(ExactMath.later(from, other.pace.earliestUnburdened(from)));
    }
    return this;
  }

  /** Moved with a cooldown whose end moves from {@code instant} to {@code at}. */
  Overlay resumedAt(long instant, long at) {
    if (from - instant < 0) {
      return this;
    }
    pace.resumeAt(instant, at);
    return new Overlay(limit, from - (instant - at), until - (instant - at), pace);
  }

  long until() {
    return until;
  }

  private long cost(long[] costs) {
    return limit == EVERY_CALL ? 1 : costs[limit];
  }

  long earliest(long at, long[] costs) {
    if (cost(costs) == 0 || at - until >= 0) {
      return at;
    }
    long start = pace.earliestUnburdened(at);
    return start - until > 0 ? until : start;
  }

  void take(long at, long[] costs) {
    if (cost(costs) > 0 && at - until < 0) {
      pace.take(at, cost(costs));
    }
  }

  boolean holds(long at) {
    return at - until < 0 && pace.earliestUnburdened(at) - at > 0;
  }

  void delay(long micros) {
    pace.delay(micros);
  }

  /**
   * Whether this takes another's place: it is slower, or the other's time is over when this begins.
   */
  boolean replaces(Overlay other) {
    return from - other.until >= 0 || pace.pace().slowerThan(other.pace.pace());
  }
}
