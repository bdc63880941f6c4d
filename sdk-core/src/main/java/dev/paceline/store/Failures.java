package dev.paceline.store;

/**
 * The commands of one group that failed in a row. A group whose commands keep failing while others
 * succeed, such as one whose key holds something foreign, is not asked for on every call.
 */
final class Failures {

  private static final int TOLERATED = 2;
  private static final long FIRST_PAUSE_NANOS = 100_000_000L;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000_000L;

  private int inRow;
  private long notBefore;

  void succeeded() {
    inRow = 0;
  }

  void failed(long now) {
    inRow = Math.min(inRow + 1, 30);
    long pause = FIRST_PAUSE_NANOS << Math.max(0, Math.min(inRow - TOLERATED - 1, 5));
    notBefore = now + Math.min(pause, LONGEST_PAUSE_NANOS);
  }

  /** Whether the last command failed. */
  boolean any() {
    return inRow > 0;
  }

  boolean pausing(long now) {
    return inRow > TOLERATED && notBefore - now > 0;
  }

  /** Whether a pause has just begun for the first time in this row. */
  boolean justPaused() {
    return inRow == TOLERATED + 1;
  }
}
