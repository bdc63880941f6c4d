package dev.paceline.feedback;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * A number of a header field: 1 to 15 digits, and perhaps a point and 1 to 9 more. No sign,
 * exponent, suffix or separator, and ASCII only: Long.parseLong takes Arabic digits and
 * Double.parseDouble takes NaN, 0x1p3 and 120f.
 *
 * @param whole the integer part
 * @param nanos the fraction in billionths
 */
record Quantity(long whole, int nanos) {

  private static final int MAX_WHOLE_DIGITS = 15;
  private static final int MAX_FRACTION_DIGITS = 9;

  static @Nullable Quantity parse(String text) {
    return parse(text, 0, text.length());
  }

  static @Nullable Quantity parse(String text, int from, int to) {
    int at = from;
    long whole = 0;
    while (at < to && Ascii.isDigit(text.charAt(at))) {
      if (at - from == MAX_WHOLE_DIGITS) {
        return null;
      }
      whole = whole * 10 + (text.charAt(at++) - '0');
    }
    if (at == from) {
      return null;
    }
    if (at == to) {
      return new Quantity(whole, 0);
    }
    if (text.charAt(at++) != '.') {
      return null;
    }
    int digits = to - at;
    if (digits < 1 || digits > MAX_FRACTION_DIGITS) {
      return null;
    }
    int nanos = 0;
    for (int i = 0; i < MAX_FRACTION_DIGITS; i++) {
      int digit = 0;
      if (i < digits) {
        char c = text.charAt(at + i);
        if (!Ascii.isDigit(c)) {
          return null;
        }
        digit = c - '0';
      }
      nanos = nanos * 10 + digit;
    }
    return new Quantity(whole, nanos);
  }

  /** Returns the smallest integer that is not less. */
  long ceiling() {
    return nanos == 0 ? whole : whole + 1;
  }

  /** Returns a thousand times this, rounded up. */
  long thousandfoldCeiling() {
    return whole * 1000 + (nanos + 999_999) / 1_000_000;
  }

  BigDecimal toBigDecimal() {
    return nanos == 0
        ? BigDecimal.valueOf(whole)
        : BigDecimal.valueOf(whole).add(BigDecimal.valueOf(nanos, 9).stripTrailingZeros());
  }
}
