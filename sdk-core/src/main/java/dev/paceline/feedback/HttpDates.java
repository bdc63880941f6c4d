package dev.paceline.feedback;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The three forms of an HTTP-date (RFC 9110 section 5.6.7). Case-sensitive and independent of the
 * default locale; the day's name must be one, but need not be that of the date.
 */
final class HttpDates {

  private static final List<String> DAYS =
      List.of("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday");
  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

  private HttpDates() {}

  /**
   * Returns the instant, or null.
   *
   * @param now decides the century of a two-digit year
   */
  static @Nullable Instant parse(String text, Instant now) {
    int length = text.length();
    if (length == 29 && text.startsWith(", ", 3)) {
      return isDay(text, 3) ? imfFixdate(text) : null;
    }
    int comma = text.indexOf(", ");
    if (comma >= 6 && comma <= 9 && length == comma + 24) {
      return isDay(text, comma) ? rfc850(text, comma + 2, now) : null;
    }
    return length == 24 && isDay(text, 3) ? asctime(text) : null;
  }

  /** {@code Sun, 06 Nov 1994 08:49:37 GMT}. */
  private static @Nullable Instant imfFixdate(String text) {
    if (!text.startsWith(" GMT", 25)
        || text.charAt(7) != ' '
        || text.charAt(11) != ' '
        || text.charAt(16) != ' ') {
      return null;
    }
    int year = fourDigits(text, 12);
    return CalendarTime.utc(
        year, month(text, 8), Ascii.twoDigits(text, 5), CalendarTime.ofDay(text, 17));
  }

  /** {@code Sunday, 06-Nov-94 08:49:37 GMT}. */
  private static @Nullable Instant rfc850(String text, int at, Instant now) {
    if (!text.startsWith(" GMT", at + 18)
        || text.charAt(at + 2) != '-'
        || text.charAt(at + 6) != '-'
        || text.charAt(at + 9) != ' ') {
      return null;
    }
    int digits = Ascii.twoDigits(text, at + 7);
    if (digits < 0) {
      return null;
    }
    int thisYear = CalendarTime.yearOf(now);
    int year = thisYear - Math.floorMod(thisYear, 100) + digits;
    if (year > thisYear + 50) {
      year -= 100;
    } else if (year < thisYear - 49) {
      year += 100;
    }
    return CalendarTime.utc(
        year, month(text, at + 3), Ascii.twoDigits(text, at), CalendarTime.ofDay(text, at + 10));
  }

  /** {@code Sun Nov 6 08:49:37 1994}, the day in two columns. */
  private static @Nullable Instant asctime(String text) {
    if (text.charAt(3) != ' '
        || text.charAt(7) != ' '
        || text.charAt(10) != ' '
        || text.charAt(19) != ' ') {
      return null;
    }
    char ones = text.charAt(9);
    int day = text.charAt(8) == ' ' && Ascii.isDigit(ones) ? ones - '0' : Ascii.twoDigits(text, 8);
    return CalendarTime.utc(
        fourDigits(text, 20), month(text, 4), day, CalendarTime.ofDay(text, 11));
  }

  static int fourDigits(String text, int at) {
    int high = Ascii.twoDigits(text, at);
    int low = Ascii.twoDigits(text, at + 2);
    return high < 0 || low < 0 ? -1 : high * 100 + low;
  }

  /** Returns the month from 1 to 12 of a three-letter name, or 0. */
  static int month(String text, int at) {
    for (int i = 0; i < 12; i++) {
      if (text.regionMatches(at, MONTHS, i * 3, 3)) {
        return i + 1;
      }
    }
    return 0;
  }

  /** Returns whether the first {@code length} characters are a day's full or three-letter name. */
  static boolean isDay(String text, int length) {
    for (String day : DAYS) {
      if ((length == 3 || length == day.length()) && text.regionMatches(0, day, 0, length)) {
        return true;
      }
    }
    return false;
  }
}
