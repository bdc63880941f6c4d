package dev.paceline;

import java.util.OptionalLong;

/**
 * Learns the smallest addition to a group's emission interval that keeps refusals rare. Owned by
 * one lock.
 *
 * <p>Refusals that come although the schedule was kept mean that the provider tolerates less than
 * the jitter of the way there, or that its limit is lower than published. Each of them raises the
 * guard by a step, and each answer without one lowers it by so much less that both balance where
 * {@value #TARGET} are refused: quickly more, slowly less, whatever the rate and however many
 * workers learn. While many are refused a step is larger. A refusal right after another does not
 * count: where there is a pace at all, those two came together, held up on their way. What a worker
 * has learned is added to the value that the fleet shares as soon as it is worth telling.
 */
final class GuardLearner {

  /** Below the 3 % that are tolerated, for those that come together are refused beside. */
  private static final double TARGET = 0.018;

  /** Of the interval. */
  private static final double STEP = 0.005;

  private static final double FALL = STEP * TARGET / (1 - TARGET);

  /** From this share of refusals on a step is larger, by so much a share. */
  private static final double MANY = 0.1;

  private static final double FASTER = 20;

  /** How many of the last answers the share of refusals is taken of, about. */
  private static final int LATELY = 32;

  private static final int MOST_INTERVALS = 4;

  /** So few refusals begin no guard. */
  private static final int TOLERATED = 3;

  private final long intervalMicros;
  private final double worthTelling;
  private final double worthBeginning;

  /** Learned here and not told yet, in microseconds. */
  private double untold;

  private double refusedLately;
  private boolean refusedBefore;

  GuardLearner(long intervalMicros) {
    this.intervalMicros = Math.max(1, intervalMicros);
    this.worthTelling = Math.max(1, STEP * this.intervalMicros);
    this.worthBeginning = worthTelling + TOLERATED * STEP * this.intervalMicros;
  }

  /**
   * Takes in what came of a request that was sent on schedule.
   *
   * @param shared the guard in microseconds that the fleet has now
   * @return the guard that it should have, if another
   */
  OptionalLong after(boolean refused, long shared) {
    boolean again = refused && refusedBefore;
    refusedBefore = refused;
    if (again) {
      return OptionalLong.empty();
    }
    refusedLately += ((refused ? 1 : 0) - refusedLately) / LATELY;
    double step = refused ? STEP * (1 + FASTER * Math.max(0, refusedLately - MANY)) : -FALL;
    untold += step * intervalMicros;
    if (shared == 0) {
      untold = Math.max(0, untold);
    }
    if (Math.abs(untold) < (shared == 0 ? worthBeginning : worthTelling)) {
      return OptionalLong.empty();
    }
    long most = intervalMicros * MOST_INTERVALS;
    long next = Math.max(0, Math.min(most, shared + Math.round(untold)));
    untold = 0;
    return next == shared ? OptionalLong.empty() : OptionalLong.of(next);
  }
}
