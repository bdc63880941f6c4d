package dev.paceline.feedback;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Waits in whole milliseconds, rounded up; {@link #NONE} where a value is malformed or not
 * believed: longer than 366 days, or an instant more than a day in the past.
 */
final class Waits {

  static final long NONE = -1;
  static final long MAX_MILLIS = 366L * 86_400_000L;

  /*
   * A number under a name that some use for seconds from now and others for an instant is told by
   * its magnitude. The bands cannot meet: 1e9 s from now is 31 years, the instant 1e9 s is in 2001,
   * 1e11 ms is in 1973 and 1e11 s in the year 5138.
   */
  private static final long EPOCH_SECONDS_FROM = 1_000_000_000L;
  private static final long EPOCH_MILLIS_FROM = 100_000_000_000L;
  private static final long EPOCH_MILLIS_TO = 100_000_000_000_000L;
  private static final long DAY_SECONDS = 86_400L;

  private Waits() {}

  static long ofSeconds(@Nullable Quantity seconds) {
    return seconds == null ? NONE : believed(seconds.thousandfoldCeiling());
  }

  static long ofMillis(@Nullable Quantity millis) {
    return millis == null ? NONE : believed(millis.ceiling());
  }

  private static long believed(long millis) {
    return millis > MAX_MILLIS ? NONE : millis;
  }

  /** Returns the time from {@code reference} to an instant: 0 for one just past. */
  static long until(@Nullable Instant instant, Instant reference) {
    if (instant == null) {
      return NONE;
    }
    long seconds = instant.getEpochSecond() - reference.getEpochSecond();
    if (seconds < -DAY_SECONDS - 1 || seconds > MAX_MILLIS / 1000 + 1) {
      return NONE;
    }
    long nanos = Duration.between(reference, instant).toNanos();
    if (nanos < 0) {
      return nanos < -DAY_SECONDS * 1_000_000_000L ? NONE : 0;
    }
    return believed((nanos + 999_999L) / 1_000_000L);
  }

  /** Reads a Retry-After value, or that of one of its aliases. */
  static long retryAfter(String value, Instant reference) {
    if (value.length() > Ascii.MAX_SCALAR) {
      return NONE;
    }
    Quantity number = Quantity.parse(value);
    if (number != null) {
      long delta = ofSeconds(number);
      return delta != NONE ? delta : until(epoch(number), reference);
    }
    long told = notANumber(value, reference);
    return told != NONE ? told : longestOf(value);
  }

  /** Reads a reset: seconds from now, epoch seconds or epoch milliseconds, a duration or a date. */
  static long reset(String value, Instant reference) {
    if (value.length() > Ascii.MAX_SCALAR) {
      return NONE;
    }
    Quantity number = Quantity.parse(value);
    if (number == null) {
      return notANumber(value, reference);
    }
    return number.whole() < EPOCH_SECONDS_FROM
        ? ofSeconds(number)
        : until(epoch(number), reference);
  }

  private static long notANumber(String value, Instant reference) {
    long duration = GoDurations.millis(value);
    if (duration != NONE) {
      return duration;
    }
    Instant date = HttpDates.parse(value, reference);
    return until(date != null ? date : CalendarTime.rfc3339(value), reference);
  }

  private static @Nullable Instant epoch(Quantity number) {
    long whole = number.whole();
    if (whole < EPOCH_SECONDS_FROM || whole >= EPOCH_MILLIS_TO) {
      return null;
    }
    return whole < EPOCH_MILLIS_FROM
        ? Instant.ofEpochSecond(whole, number.nanos())
        : Instant.ofEpochMilli(number.ceiling());
  }

  /** Reads numbers that an intermediary joined by comma and space. */
  private static long longestOf(String value) {
    long longest = NONE;
    int from = 0;
    while (from <= value.length()) {
      int to = JoinedValues.memberEnd(value, from);
      Quantity number = Quantity.parse(value, from, JoinedValues.trimEnd(value, from, to));
      long wait = ofSeconds(number);
      if (wait == NONE) {
        return NONE;
      }
      longest = Math.max(longest, wait);
      from = JoinedValues.next(value, to);
    }
    return longest;
  }
}
