package dev.paceline.store;

/**
 * What the store says to an {@link Ask}. Instants are readings of this process's monotonic clock.
 *
 * @param kind whether permits were reserved
 * @param starts for {@link Kind#RESERVED}, when each permit may be used, ascending; else empty.
 *     What exceeds the permits that were wanted was reserved ahead: it may be used for one quantum
 * @param earliest for {@link Kind#TOO_LATE}, when the first permit would have started
 * @param cooldownUntil when the group's cooldown ends, in the past if there is none; without
 *     meaning unless {@link #hasFigures}
 * @param workers how many workers share the schedule, at least 1
 */
public record Reply(Kind kind, long[] starts, long earliest, long cooldownUntil, int workers) {

  private static final long[] NONE = {};

  /** The outcomes of an ask. */
  public enum Kind {
    /** At least one permit was reserved and charged. */
    RESERVED,
    /** Nothing was charged: the first start lies after the latest that was asked for. */
    TOO_LATE,
    /** Nothing was charged: the cost exceeds the capacity of a limit. */
    NEVER,
    /** Nothing was charged: the store is away and the upstream is to refuse then. */
    CLOSED,
    /** No pacing: the store is away and the upstream is to go on without. */
    OPEN
  }

  /** Permits reserved at {@code starts}. */
  public static Reply reserved(long[] starts, long cooldownUntil, int workers) {
    return new Reply(Kind.RESERVED, starts, 0, cooldownUntil, workers);
  }

  /** Nothing reserved; the first permit would start at {@code earliest}. */
  public static Reply tooLate(long earliest, long cooldownUntil, int workers) {
    return new Reply(Kind.TOO_LATE, NONE, earliest, cooldownUntil, workers);
  }

  /** Nothing reserved, for a reason that needs no figures. */
  public static Reply without(Kind kind) {
    return new Reply(kind, NONE, 0, 0, 1);
  }

  /** Whether it says instants; the outage policy and a cost that never conforms have none. */
  public boolean hasFigures() {
    return kind == Kind.RESERVED || kind == Kind.TOO_LATE;
  }
}
