package dev.paceline.store;

/** A change to a group's schedule. Durations are microseconds; arrays are not to be changed. */
public sealed interface Change {

  /** Nobody calls for {@code micros}; kept if longer than what is known, and then published. */
  record Cooldown(long micros) implements Change {}

  /** Ends the cooldown; raises the generation; published. */
  record ClearCooldown() implements Change {}

  /** The schedule moves later by {@code micros}; published. */
  record Late(long micros) implements Change {}

  /**
   * Corrects a charge made {@code agoMicros} before now (negative: later than now). Giving back
   * does not raise the generation: a floor that is a little high costs at most what was given back.
   */
  record Settle(long agoMicros, long[] delta) implements Change {}

  /** At most {@code permits} of one limit for the next {@code micros}, unless slower already. */
  record Slow(int limit, long permits, long micros) implements Change {}

  /** Sets the guard that is added to each interval. */
  record Guard(long micros) implements Change {}

  /**
   * Charges what was sent while the store was away, without waiting: {@code cost} in all, begun
   * {@code agoMicros} before now, the last of it sent {@code lastAgoMicros} before now (negative:
   * to be sent later than now).
   */
  record Charge(long agoMicros, long lastAgoMicros, long[] cost) implements Change {
    /** For {@code lastAgoMicros}: what is charged is charged in full. */
    static final long IN_FULL = -(1L << 52);
  }

  /**
   * The limits were changed on purpose: a debt that is stored in a slower pace shrinks with it.
   * (What is stored in a faster pace always grows, and a worker that merely comes with a faster
   * limit does not lower what a slower one owes.) Raises the generation.
   */
  record Reconfigure() implements Change {}
}
