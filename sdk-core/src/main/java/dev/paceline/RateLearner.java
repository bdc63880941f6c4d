package dev.paceline;

/**
 * Learns the rate of a provider whose limit nobody told. Owned by one lock.
 *
 * <p>The first refusal sets it to the rate accepted in the last second; each further one cuts it by
 * a tenth, and while there is none it is raised slowly. Requests that were sent before the last cut
 * are the same overload: their refusals do not count again.
 */
final class RateLearner {

  private static final double CUT = 0.9;
  private static final double RAISE_PER_SECOND = 0.01;
  private static final long SECOND = 1_000_000_000L;
  private static final double LEAST = 1.0 / 60;
  private static final double MOST = 1_000_000;
  private static final int SLOTS = 10;

  private final long[] slotIndex = new long[SLOTS];
  private final long[] accepted = new long[SLOTS];
  private final long origin;
  private double perSecond;
  private long cutAt;
  private long raisedAt;

  RateLearner(long nowNanos) {
    origin = nowNanos;
  }

  /** The learned rate a second; 0 while nothing was refused. */
  double perSecond() {
    return perSecond;
  }

  /**
   * Takes in what came of a request.
   *
   * @param sentNanos when it was sent
   * @return whether the rate has changed
   */
  boolean after(boolean wasRefused, long sentNanos, long nowNanos) {
    if (!wasRefused) {
      count(nowNanos);
      return raise(nowNanos);
    }
    if (perSecond == 0) {
      long lately = lastSecond(nowNanos);
      if (lately == 0) {
        // Where nothing was accepted, a refusal says nothing of a rate: its wait is enough.
        return false;
      }
      perSecond = bounded((double) lately);
    } else if (sentNanos - cutAt >= 0) {
      perSecond = bounded(perSecond * CUT);
    } else {
      return false;
    }
    cutAt = nowNanos;
    raisedAt = nowNanos;
    return true;
  }

  private boolean raise(long nowNanos) {
    long since = nowNanos - raisedAt;
    if (perSecond == 0 || since < SECOND) {
      return false;
    }
    double seconds = Math.min(10, (double) since / SECOND);
    perSecond = bounded(perSecond * (1 + RAISE_PER_SECOND * seconds));
    raisedAt = nowNanos;
    return true;
  }

  private static double bounded(double rate) {
    return Math.max(LEAST, Math.min(rate, MOST));
  }

  private void count(long nowNanos) {
    long index = (nowNanos - origin) / (SECOND / SLOTS);
    int slot = (int) Math.floorMod(index, (long) SLOTS);
    if (slotIndex[slot] != index) {
      slotIndex[slot] = index;
      accepted[slot] = 0;
    }
    accepted[slot]++;
  }

  private long lastSecond(long nowNanos) {
    long index = (nowNanos - origin) / (SECOND / SLOTS);
    long sum = 0;
    for (int i = 0; i < SLOTS; i++) {
      sum += index - slotIndex[i] < SLOTS ? accepted[i] : 0;
    }
    return sum;
  }
}
