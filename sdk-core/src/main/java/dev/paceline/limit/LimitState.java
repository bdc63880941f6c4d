package dev.paceline.limit;

import java.util.List;

/**
 * The stored state of one limit; immutable. Instants are microseconds of the clock that the
 * schedule was driven by, and windows are known by their first instant on the wall clock (that
 * clock plus the {@linkplain GroupSchedule#align offset}).
 */
public sealed interface LimitState {

  /** Nothing was ever charged. */
  record Unused() implements LimitState {}

  /**
   * Of {@code gcra} and {@code token-bucket}: the theoretical arrival time, {@code tatMicros +
   * remainder ÷ divisor}, the divisor being that of the limit's {@link EmissionInterval}.
   *
   * @param tatMicros its whole microseconds
   * @param remainder at least 0 and below the divisor
   */
  record Arrival(long tatMicros, long remainder) implements LimitState {}

  /**
   * Of {@code fixed-window}.
   *
   * @param startMicros the first instant of the window last charged
   * @param count what was charged in it
   */
  record Window(long startMicros, long count) implements LimitState {}

  /**
   * Of {@code sliding-window-counter}.
   *
   * @param startMicros the first instant of the window last charged
   * @param current what was charged in it
   * @param previous what was charged in the one before
   */
  record TwoWindows(long startMicros, long current, long previous) implements LimitState {}

  /**
   * Of {@code sliding-window-log}.
   *
   * @param runs what was charged, oldest first, one run for all charges of one instant
   */
  record Log(List<Run> runs) implements LimitState {
    /** Keeps a copy of the runs. */
    public Log {
      runs = List.copyOf(runs);
    }
  }

  /**
   * Charges of one instant.
   *
   * @param atMicros the instant
   * @param count what was charged then, at least 1
   */
  record Run(long atMicros, long count) {}
}
