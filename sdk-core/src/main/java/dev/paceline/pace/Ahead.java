package dev.paceline.pace;

import java.util.Arrays;

/**
 * Permits reserved before anybody asked for them, and how many callers a busy worker may expect.
 * Each may be used at any instant until they lapse together. Guarded by the pacer's lock.
 */
final class Ahead {

  /** With fewer calls in a quantum than this, a permit seldom finds its caller. */
  private static final int LEAST = 10;

  private static final long[] NO_COST = {};

  private final long quantumNanos;
  private final long validNanos;

  private int count;
  private long from;
  private long lapse;
  private long[] cost = NO_COST;

  private long periodStart;
  private int calls;
  private int callsBefore;

  /** None yet. */
  Ahead(Pace pace) {
    this.quantumNanos = pace.quantumNanos();
    // A worker knows the instant of a reservation only to within a message's way.
    this.validNanos = pace.ahead() ? pace.quantumNanos() - pace.leadNanos() : 0;
  }

  int count() {
    return count;
  }

  /** Notes a caller who got a permit. */
  void used(long now) {
    roll(now);
    calls++;
  }

  /** How many more callers of one permit each may come within a quantum. */
  int expected(long[] cost, long now) {
    roll(now);
    int most = Math.max(calls, callsBefore);
    return validNanos <= 0 || most < LEAST || !isOneEach(cost) ? 0 : most;
  }

  private void roll(long now) {
    long since = now - periodStart;
    if (since >= quantumNanos || since < 0) {
      callsBefore = since < 2 * quantumNanos ? calls : 0;
      calls = 0;
      periodStart = now;
    }
  }

  private static boolean isOneEach(long[] cost) {
    for (long one : cost) {
      if (one != 1) {
        return false;
      }
    }
    return true;
  }

  /** Takes in {@code more} permits that were reserved at {@code start}. */
  void add(int more, long start, long[] permitCost, long now) {
    dropLapsed(now);
    long until = start + validNanos;
    from = count > 0 && from - start > 0 ? from : start;
    lapse = count > 0 && lapse - until < 0 ? lapse : until;
    cost = permitCost;
    count += more;
  }

  /** Whether there is one that may be used now. */
  boolean isValid(long now) {
    dropLapsed(now);
    return count > 0 && now - from >= 0;
  }

  /** What each was charged, for each limit. */
  long[] cost() {
    return cost;
  }

  void remove() {
    count--;
  }

  /** Takes one for a caller of this cost, if there is one. */
  boolean take(long[] wanted, long now) {
    if (count == 0 || !isValid(now) || !Arrays.equals(cost, wanted)) {
      return false;
    }
    count--;
    used(now);
    return true;
  }

  private void dropLapsed(long now) {
    if (count > 0 && now - lapse > 0) {
      count = 0;
    }
  }

  /** The schedule has moved: none may be used earlier than it would start now. */
  void moveBy(long nanos) {
    from += nanos;
  }

  /** Gives up all: nobody may call. */
  void drop() {
    count = 0;
  }
}
