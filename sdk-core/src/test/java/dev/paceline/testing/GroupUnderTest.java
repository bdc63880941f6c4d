package dev.paceline.testing;

/** The limits of one key, wherever their state lives, as {@link VectorReplay} drives them. */
public interface GroupUnderTest {

  /**
   * The first start at or after {@code atMicros}, or {@link
   * dev.paceline.limit.GroupSchedule#NEVER}; charges nothing.
   */
  long earliest(long atMicros, long cost);

  /** Charges a start that {@link #earliest} answered. */
  void take(long startMicros, long cost);

  /** The whole permits left, the least over the limits. */
  long remaining(long atMicros);
}
