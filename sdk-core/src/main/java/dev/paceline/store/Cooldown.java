package dev.paceline.store;

/**
 * Until when nobody calls, as far as a worker knows. Instants are readings of the ticker. Guarded
 * by the mirror's lock.
 */
final class Cooldown {

  private boolean cooling;
  private long until;
  private boolean stored;
  private long storedGeneration;
  private long clearedGeneration = Long.MIN_VALUE;

  boolean holds(long now) {
    cooling &= until - now > 0;
    return cooling;
  }

  /** The end; meaningless unless it holds. */
  long until() {
    return until;
  }

  /** The end, or now if there is none. */
  long until(long now) {
    return holds(now) ? until : now;
  }

  /** Only ever longer; false if that was known. */
  boolean extend(long end, long now) {
    if (end - now <= 0 || (holds(now) && end - until <= 0)) {
      return false;
    }
    cooling = true;
    until = end;
    stored = false;
    return true;
  }

  /** The store knows of it; ignored if it was ended since. */
  void stored(long end, long generation, long now) {
    if (generation < clearedGeneration) {
      return;
    }
    extend(end, now);
    markStored(generation);
  }

  void markStored(long generation) {
    stored = true;
    storedGeneration = generation;
  }

  /** The store no longer knows of it: whether it was ended by hand. */
  boolean endedIn(long generation, long now) {
    if (!holds(now) || !stored || generation <= storedGeneration) {
      return false;
    }
    clear(generation);
    return true;
  }

  void clear(long generation) {
    cooling = false;
    clearedGeneration = Math.max(clearedGeneration, generation);
  }
}
