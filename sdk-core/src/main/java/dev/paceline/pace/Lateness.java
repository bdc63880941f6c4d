package dev.paceline.pace;

/**
 * By how much the schedule must move because permits were used late. Guarded by the pacer's lock.
 *
 * <p>A request that arrives late uses up to one interval of the provider's tolerance: the time that
 * the provider saw idle does not come back. Requests that are late together use one each, but
 * together no more than the longest delay among them.
 */
final class Lateness {

  private boolean stretched;
  private long stretchEnd;
  private long moved;
  private long pendingNanos;

  /**
   * Notes a late send.
   *
   * @return by how much permits not yet used move, in nanoseconds: whole microseconds
   */
  long move(long due, long sent, long intervalNanos) {
    if (!stretched || due - stretchEnd > 0) {
      moved = 0;
      stretchEnd = sent;
      stretched = true;
    }
    if (sent - stretchEnd > 0) {
      stretchEnd = sent;
    }
    long move = Math.min(intervalNanos, sent - due - moved) / 1_000 * 1_000;
    if (move <= 0) {
      return 0;
    }
    moved += move;
    pendingNanos += move;
    return move;
  }

  boolean pending() {
    return pendingNanos > 0;
  }

  /** What the store was not told yet, in microseconds; the caller tells it. */
  long take() {
    long micros = pendingNanos / 1_000;
    pendingNanos = 0;
    return micros;
  }
}
