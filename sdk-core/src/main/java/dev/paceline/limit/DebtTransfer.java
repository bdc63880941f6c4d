package dev.paceline.limit;

import java.util.List;

/** Carries the debt of a limit over to the limit that takes its place, in permits. */
final class DebtTransfer {

  private DebtTransfer() {}

  /** The index of the old limit of the same name, or else of the same place and unit; or -1. */
  static int counterpart(List<Limit> old, Limit limit, int place) {
    for (int i = 0; i < old.size(); i++) {
      if (old.get(i).name().equals(limit.name())) {
        return i;
      }
    }
    return place < old.size() && old.get(place).unit().equals(limit.unit()) ? place : -1;
  }

  /** Whether both limits count in the same windows, so that their counts mean the same. */
  static boolean sameWindows(Limit a, Limit b) {
    return a.algorithm() == b.algorithm()
        && a.periodMicros() == b.periodMicros()
        && a.zone().equals(b.zone());
  }

  /**
   * Carries it over.
   *
   * @param from when a cooldown ends, at least {@code at}: a bucket counts its debt from there, for
   *     the time until then is not owed in permits
   */
  static void carry(
      LimitSchedule old, LimitSchedule fresh, boolean sameWindows, long at, long from) {
    if (old instanceof Gcra gcra && from - at > 0) {
      gcra.resumeUnder(fresh, at, from);
    } else if (fresh instanceof Gcra gcra && old instanceof Gcra oldGcra) {
      gcra.rescale(oldGcra, at);
    } else if (sameWindows) {
      fresh.restore(old.state());
    } else {
      fresh.owe(at, old.debt(at));
    }
  }
}
