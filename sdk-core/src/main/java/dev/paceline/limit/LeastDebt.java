package dev.paceline.limit;

/**
 * The least debt that any recent charge has found, over two stretches of time: as much of an older
 * charge can be given back without letting time that had passed idle be spent. Debts are whole
 * microseconds.
 */
final class LeastDebt {
  private final long stretch;

  private boolean started;
  private long since;
  private long least;
  private long priorSince;
  private long priorLeast;

  /**
   * Nothing was charged yet.
   *
   * @param stretch how long each of the two stretches is, in microseconds
   */
  LeastDebt(long stretch) {
    this.stretch = stretch;
  }

  /** Notes a charge at an instant, and the debt that it found there. */
  void found(long at, long debt) {
    if (!started) {
      started = true;
      since = at;
      priorSince = at;
      least = debt;
      priorLeast = debt;
    } else if (at - since > stretch) {
      priorSince = since;
      priorLeast = least;
      since = at;
      least = debt;
    } else {
      least = Math.min(least, debt);
    }
  }

  /** A lower bound of the debt that any charge after an instant has found. */
  long after(long instant) {
    if (!started || instant - priorSince < 0) {
      return 0;
    }
    return instant - since >= 0 ? least : Math.min(least, priorLeast);
  }

  /** Notes that the debt was lowered. */
  void lowered(long micros) {
    least = Math.max(0, least - micros);
    priorLeast = Math.max(0, priorLeast - micros);
  }
}
