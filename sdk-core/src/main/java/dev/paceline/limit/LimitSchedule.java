package dev.paceline.limit;

/**
 * The state of one limit, and the two questions that every algorithm answers on it. Owned by one
 * {@link GroupSchedule}, and as little thread-safe.
 *
 * <p>Instants are whole microseconds of a monotonic clock with any origin; they are compared by
 * their differences, so the clock may be negative, or wrap. The instants at which a cost conforms
 * have no gap: once it conforms it keeps conforming until something is taken. So the latest {@link
 * #earliest} of several limits conforms to all of them.
 */
sealed interface LimitSchedule
    permits FixedWindow, Gcra, GuardedWindow, SlidingCounter, SlidingLog {

  /** The largest cost that can ever conform. */
  long capacity();

  /**
   * The first instant at or after {@code at} at which a cost conforms.
   *
   * @param cost from 1 to the capacity
   */
  long earliest(long at, long cost);

  /** Charges a cost at an instant, whether it conforms there or not. */
  void take(long at, long cost);

  /** Charges what was sent elsewhere from {@code at} to {@code last}. */
  default void charge(long at, long last, long cost) {
    take(at, cost);
  }

  /**
   * A lower bound of the instant at which a call can start behind others of that total cost, which
   * start as soon as they can.
   *
   * @param ahead at least 0
   * @param cost from 1 to the capacity
   */
  long earliestBehind(long at, long ahead, long cost);

  /** How many permits of cost 1 could start at {@code at}. */
  long remaining(long at);

  /** The permits charged that still count at {@code at}, rounded up. */
  long debt(long at);

  /** Charges a debt that another schedule had, to a schedule that has none yet. */
  void owe(long at, long debt);

  /** Charges more ({@code delta > 0}) or less for what was charged at {@code chargedAt}. */
  void adjust(long chargedAt, long at, long delta);

  /** Moves the schedule later; windows do not move. */
  default void delay(long micros) {}

  /** Lengthens the time that each permit takes; 0 ends it. */
  default void guard(long extraMicros) {}

  /** Sets the wall clock minus the clock of the instants; only aligned windows look at the wall. */
  default void align(long offsetMicros) {}

  /** The instant from which nothing charged counts any more; {@link Long#MIN_VALUE}: now. */
  long fullAt();

  /** A copy of the state. */
  LimitState state();

  /** Replaces the state; a state of another algorithm changes nothing. */
  void restore(LimitState state);

  /** Takes over what the other state knows and this one has lost. */
  void merge(LimitState state);
}
