package dev.paceline;

/**
 * How fast others use a quota that we use, too: by how much more than our own calls the provider's
 * count falls. Owned by one lock.
 *
 * <p>Taken from the first count of a window on, so that it is steady, and less the two calls that
 * may have been counted on one side only, so that it is rather too low: what is held back for
 * others who do not come is lost.
 */
final class OtherUse {

  /** Of the first count's time to the reset, so much must have passed before anything is said. */
  private static final int SOONEST = 100;

  private static final int UNSURE = 2;

  private boolean began;
  private long beganNanos;
  private long resetNanos;
  private long atFirst;
  private long last;
  private long own;

  /** One of our own calls was answered, and used quota or did not. */
  void called(boolean used) {
    own += used ? 1 : 0;
  }

  /**
   * Takes in a count.
   *
   * @param remaining what the provider has left
   * @param lasting how long until the reset, in nanoseconds
   * @param workers how many workers like this one there are, at least 1
   * @return how many permits others will have used by then
   */
  long until(long remaining, long lasting, long nowNanos, int workers) {
    boolean same = began && resetNanos - nowNanos > 0 && remaining <= last + own;
    if (!same) {
      began = true;
      beganNanos = nowNanos;
      resetNanos = nowNanos + lasting;
      atFirst = remaining;
      own = 0;
    }
    last = remaining;
    long passed = nowNanos - beganNanos;
    long theirs = atFirst - remaining - own * workers - UNSURE;
    if (theirs <= 0 || passed < (resetNanos - beganNanos) / SOONEST) {
      return 0;
    }
    return (long) ((double) theirs / passed * lasting) + 1;
  }
}
