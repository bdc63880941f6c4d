package dev.paceline;

import java.util.OptionalLong;
import java.util.function.IntSupplier;

/**
 * Learns the smallest addition to a group's emission interval that keeps refusals rare. Owned by
 * one lock.
 *
 * <p>Refusals that come although the schedule was kept mean that the provider tolerates less than
 * the jitter of the way there, or that its limit is lower than published. The guard rises quickly
 * when more than 2.5 % are refused, until no more than 1.2 % are, and falls slowly while fewer than
 * 1.5 % are: the slower, the nearer, and the faster, the longer there was none. In between it
 * stays. The value is shared by the fleet: each worker adds its part of a step, and whatever
 * changes the value elsewhere starts a new count here, so that workers do not add up their answers
 * to the same refusals.
 */
final class GuardLearner {

  private static final double TOO_MANY = 0.025;
  private static final double FEW_ENOUGH = 0.012;
  private static final double FEW = 0.008;
  private static final int LEAST_REFUSALS = 4;
  private static final int ENOUGH_SEEN = 100;
  private static final double LEAST_STEP = 0.03;
  private static final double LARGEST_STEP = 0.20;
  private static final double FALL = 0.01;
  private static final int FASTEST_FALL = 6;
  private static final long FALL_EVERY_NANOS = 1_000_000_000L;
  private static final int LONGEST_COUNT = 400;
  private static final int MOST_INTERVALS = 4;

  private final long intervalMicros;
  private long known;
  private int seen;
  private int refused;
  private boolean rising;
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
   * @param workers tells how many workers learn; asked only for a rise
   * @return the guard that it should have, if another
   */
  OptionalLong after(boolean wasRefused, long nowNanos, long shared, IntSupplier workers) {
    if (shared > known) {
      restart();
    }
    if (shared != known) {
      known = shared;
      changedAt = nowNanos;
    }
    seen++;
    if (wasRefused) {
      refused++;
      refusedAt = nowNanos;
    }
    long next = next(nowNanos, workers);
    if (seen >= LONGEST_COUNT) {
      seen /= 2;
      refused /= 2;
    }
    if (next == known) {
      return OptionalLong.empty();
    }
    if (next > known) {
      restart();
    }
    known = next;
    changedAt = nowNanos;
    return OptionalLong.of(next);
  }

  private long next(long nowNanos, IntSupplier workers) {
    double share = (double) refused / seen;
    if (refused >= LEAST_REFUSALS && share > (rising ? FEW_ENOUGH : TOO_MANY)) {
      rising = true;
      int sharing = Math.max(1, workers.getAsInt());
      double step = Math.max(LEAST_STEP, Math.min(share - FEW, LARGEST_STEP)) / sharing;
      long most = intervalMicros * MOST_INTERVALS;
      return Math.min(most, known + (long) Math.ceil((intervalMicros + known) * step));
    }
    if (seen >= ENOUGH_SEEN && share <= FEW_ENOUGH) {
      rising = false;
    }
    boolean due = nowNanos - changedAt >= FALL_EVERY_NANOS && seen >= ENOUGH_SEEN;
    if (known == 0 || !due || share >= FEW) {
      return known;
    }
    long quietSeconds = (nowNanos - refusedAt) / 1_000_000_000L;
    double fall = FALL * (1 - share / FEW) * Math.min(FASTEST_FALL, 1 + quietSeconds / 5);
    return Math.max(0, known - (long) Math.ceil(intervalMicros * fall));
  }

  private void restart() {
    seen = 0;
    refused = 0;
  }
}
