package dev.paceline.limit;

import java.time.Duration;

/**
 * How many calls may be in flight at once, for providers that cap concurrency.
 *
 * @param most 1 or more
 * @param longest after this a call is taken to have ended though nobody said so; more than 0, at
 *     most a day
 */
public record InFlight(int most, Duration longest) {

  /** Checks both. */
  public InFlight {
    if (most < 1) {
      throw new IllegalArgumentException("inFlight is " + most + "; it must be at least 1");
    }
    if (longest.isNegative() || longest.isZero() || longest.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException(
          "longestCall is " + longest + "; it must be more than 0 and at most a day");
    }
  }
}
