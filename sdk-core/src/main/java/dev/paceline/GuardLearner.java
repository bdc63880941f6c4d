package dev.paceline;

import java.util.OptionalLong;

/**
 * Learns the smallest addition to a group's emission interval that keeps refusals rare. Owned by
 * one lock.
 *
 * <p>Refusals that come although the schedule was kept mean that the provider tolerates less than
 * the jitter of the way there, or that its limit is lower than published. The guard rises at once
 * when refusals exceed 3 %, by at least 4 % of the interval, so that one step ends them where the
 * limit is lower; it falls slowly while they are below 1 %, and faster the longer there were none.
 * In between it stays. The value is shared by the fleet: whatever changes it elsewhere starts a new
 * count here, so that workers do not add up their answers to the same refusals.
 */
final class GuardLearner {

  private static final double TOO_MANY = 0.03;
  private static final double FEW = 0.01;
  private static final int LEAST_REFUSALS = 4;
  private static final double LEAST_STEP = 0.04;
  private static final double LARGEST_STEP = 0.25;
  private static final double FALL = 0.005;
  private static final int FASTEST_FALL = 6;
  private static final long FALL_EVERY_NANOS = 1_000_000_000L;
  private static final int LONGEST_COUNT = 400;
  private static final int MOST_INTERVALS = 4;

  private final long intervalMicros;
  private long known;
  private int seen;
  private int refused;
  private long changedAt;
  private long refusedAt;

  GuardLearner(long intervalMicros, long nowNanos) {
    this.intervalMicros = Math.max(1, intervalMicros);
    this.changedAt = nowNanos;
    this.refusedAt = nowNanos;
  }

  /**
   * Takes in what came of a request that was sent on schedule.
   *
   * @param shared the guard in microseconds that the fleet has now
   * @return the guard that it should have, if another
   */
  OptionalLong after(boolean wasRefused, long nowNanos, long shared) {
    if (shared != known) {
      known = shared;
      restart(nowNanos);
    }
    seen++;
    if (wasRefused) {
      refused++;
      refusedAt = nowNanos;
    }
    long next = next(nowNanos);
    if (seen >= LONGEST_COUNT) {
      seen /= 2;
      refused /= 2;
    }
    if (next == known) {
      return OptionalLong.empty();
    }
    if (next > known) {
      restart(nowNanos);
    }
    known = next;
    changedAt = nowNanos;
    return OptionalLong.of(next);
  }

  private long next(long nowNanos) {
    double share = (double) refused / seen;
    if (refused >= LEAST_REFUSALS && share > TOO_MANY) {
      double step = Math.max(LEAST_STEP, Math.min(share, LARGEST_STEP));
      long most = intervalMicros * MOST_INTERVALS;
      return Math.min(most, known + (long) Math.ceil((intervalMicros + known) * step));
    }
    boolean due = nowNanos - changedAt >= FALL_EVERY_NANOS;
    if (known == 0 || !due || share > FEW) {
      return known;
    }
    long quietSeconds = (nowNanos - refusedAt) / 1_000_000_000L;
    double fall = FALL * Math.min(FASTEST_FALL, 1 + quietSeconds / 5);
    return Math.max(0, known - (long) Math.ceil(intervalMicros * fall));
  }

  private void restart(long nowNanos) {
    seen = 0;
    refused = 0;
    changedAt = nowNanos;
  }
}
