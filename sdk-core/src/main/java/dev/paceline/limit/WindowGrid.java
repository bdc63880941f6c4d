package dev.paceline.limit;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * Where fixed windows begin, on the wall clock, in microseconds since the epoch: at multiples of
 * the period, or at midnight in a zone, where a day may have 23 or 25 hours. Keeps the bounds of
 * the window last asked for.
 */
final class WindowGrid {
  private static final long FARTHEST_DAYS = 104_000;

  private final long periodMicros;
  private final @Nullable ZoneId zone;
  private final long days;

  private boolean known;
  private long start;
  private long end;

  WindowGrid(Limit limit) {
    this.periodMicros = limit.periodMicros();
    this.zone = limit.zone().orElse(null);
    this.days = limit.period().toDays();
  }

  /** The first instant of the window that holds {@code wall}. */
  long startOf(long wall) {
    locate(wall);
    return start;
  }

  /** The first instant after the window that holds {@code wall}. */
  long endOf(long wall) {
    locate(wall);
    return end;
  }

  /**
   * The first instant of the window that comes {@code windows} after the one that holds {@code
   * wall}; past 285 years the answer is an earlier one.
   *
   * @param windows at least 1
   */
  long startAfter(long wall, long windows) {
    locate(wall);
    if (zone == null) {
      return start + periodMicros * Math.min(windows, ExactMath.MAX_EXACT / periodMicros);
    }
    long further = Math.min(windows, FARTHEST_DAYS / days) * days;
    return midnight(dayOf(start, zone) + further, zone);
  }

  private void locate(long wall) {
    if (known && wall - start >= 0 && wall - end < 0) {
      return;
    }
    known = true;
    if (zone == null) {
      start = wall - Math.floorMod(wall, periodMicros);
      end = start + periodMicros;
      return;
    }
    long day = dayOf(wall, zone);
    long first = day - Math.floorMod(day, days);
    start = midnight(first, zone);
    end = midnight(first + days, zone);
  }

  private static long dayOf(long wall, ZoneId zone) {
    Instant instant =
        Instant.ofEpochSecond(
            Math.floorDiv(wall, 1_000_000L), Math.floorMod(wall, 1_000_000L) * 1_000L);
    return instant.atZone(zone).toLocalDate().toEpochDay();
  }

  private static long midnight(long day, ZoneId zone) {
    Instant instant = LocalDate.ofEpochDay(day).atStartOfDay(zone).toInstant();
    return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
  }
}
