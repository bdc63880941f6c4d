package dev.paceline.feedback;

import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Dates of headers that are no HTTP-dates, and the arithmetic of all of them. */
final class CalendarTime {

  private static final int INVALID = -1;

  private CalendarTime() {}

  static int yearOf(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC).getYear();
  }

  /** Returns the seconds of {@code hh:mm:ss} within the day, a leap second as 60, or -1. */
  static int ofDay(String text, int at) {
    int hours = Ascii.twoDigits(text, at);
    int minutes = Ascii.twoDigits(text, at + 3);
    int seconds = Ascii.twoDigits(text, at + 6);
    if (hours < 0
        || hours > 23
        || minutes < 0
        || minutes > 59
        || seconds < 0
        || seconds > 60
        || text.charAt(at + 2) != ':'
        || text.charAt(at + 5) != ':') {
      return INVALID;
    }
    return hours * 3600 + minutes * 60 + seconds;
  }

  /** Returns the instant, or null if a part is out of range. */
  static @Nullable Instant utc(int year, int month, int day, int secondOfDay) {
    if (year < 0 || month < 1 || month > 12 || day < 1 || secondOfDay < 0) {
      return null;
    }
    if (day > YearMonth.of(year, month).lengthOfMonth()) {
      return null;
    }
    return Instant.ofEpochSecond(
        LocalDate.of(year, month, day).toEpochDay() * 86_400L + secondOfDay);
  }

  /**
   * Returns the instant of an RFC 3339 date and time, or null. The zone is required, seconds may be
   * missing (Jira sends {@code 2026-03-26T16:00Z}), {@code t} and {@code z} may be small.
   */
  static @Nullable Instant rfc3339(String text) {
    int length = text.length();
    if (length < 17
        || length > 40
        || text.charAt(4) != '-'
        || text.charAt(7) != '-'
        || Ascii.lower(text.charAt(10)) != 't'
        || text.charAt(13) != ':') {
      return null;
    }
    int at = 16;
    int nanos = 0;
    int seconds;
    if (text.charAt(at) == ':') {
      seconds = ofDay(text, 11);
      at = 19;
      if (at < length && text.charAt(at) == '.') {
        int start = ++at;
        while (at < length && Ascii.isDigit(text.charAt(at))) {
          at++;
        }
        nanos = billionths(text, start, at);
      }
    } else {
      int hours = Ascii.twoDigits(text, 11);
      int minutes = Ascii.twoDigits(text, 14);
      seconds =
          hours < 0 || hours > 23 || minutes < 0 || minutes > 59
              ? INVALID
              : hours * 3600 + minutes * 60;
    }
    int offset = zoneSeconds(text, at);
    if (nanos == INVALID || offset == Integer.MIN_VALUE) {
      return null;
    }
    Instant local =
        utc(
            HttpDates.fourDigits(text, 0),
            Ascii.twoDigits(text, 5),
            Ascii.twoDigits(text, 8),
            seconds);
    return local == null ? null : local.minusSeconds(offset).plusNanos(nanos);
  }

  /**
   * Returns the instant of a JavaScript {@code Date.toString()}, such as {@code Tue Feb 16 2021
   * 09:02:42 GMT+0100 (Central European Standard Time)}, or null.
   */
  static @Nullable Instant script(String text) {
    if (text.length() < 33
        || text.length() > Ascii.MAX_SCALAR
        || !HttpDates.isDay(text, 3)
        || text.charAt(3) != ' '
        || text.charAt(7) != ' '
        || text.charAt(10) != ' '
        || text.charAt(15) != ' '
        || !text.startsWith(" GMT", 24)) {
      return null;
    }
    int hours = Ascii.twoDigits(text, 29);
    int minutes = Ascii.twoDigits(text, 31);
    char sign = text.charAt(28);
    boolean named = text.length() == 33 || (text.startsWith(" (", 33) && text.endsWith(")"));
    if (hours < 0 || minutes < 0 || !named || (sign != '+' && sign != '-')) {
      return null;
    }
    int offset = (hours * 3600 + minutes * 60) * (sign == '-' ? -1 : 1);
    Instant local =
        utc(
            HttpDates.fourDigits(text, 11),
            HttpDates.month(text, 4),
            Ascii.twoDigits(text, 8),
            ofDay(text, 16));
    return local == null ? null : local.minusSeconds(offset);
  }

  private static int billionths(String text, int from, int to) {
    if (from == to || to - from > 9) {
      return INVALID;
    }
    int nanos = 0;
    for (int i = 0; i < 9; i++) {
      nanos = nanos * 10 + (from + i < to ? text.charAt(from + i) - '0' : 0);
    }
    return nanos;
  }

  /** Returns the offset of {@code Z} or {@code +hh:mm} up to the end, or MIN_VALUE. */
  private static int zoneSeconds(String text, int at) {
    if (at >= text.length()) {
      return Integer.MIN_VALUE;
    }
    char sign = text.charAt(at);
    if (Ascii.lower(sign) == 'z') {
      return at + 1 == text.length() ? 0 : Integer.MIN_VALUE;
    }
    int hours = Ascii.twoDigits(text, at + 1);
    int minutes = Ascii.twoDigits(text, at + 4);
    if ((sign != '+' && sign != '-')
        || at + 6 != text.length()
        || text.charAt(at + 3) != ':'
        || hours < 0
        || hours > 23
        || minutes < 0
        || minutes > 59) {
      return Integer.MIN_VALUE;
    }
    return (hours * 3600 + minutes * 60) * (sign == '-' ? -1 : 1);
  }
}
