package dev.paceline.feedback;

import org.jspecify.annotations.Nullable;

/** Characters and lines of header values, without the locale or Unicode. */
final class Ascii {

  /** The longest value that is read. */
  static final int MAX_VALUE = 8192;

  /** The longest number, date or duration that is read. */
  static final int MAX_SCALAR = 128;

  private Ascii() {}

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  static boolean isSpace(char c) {
    return c == ' ' || c == '\t';
  }

  static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c;
  }

  /** Returns the value of two digits, or -1. */
  static int twoDigits(String text, int at) {
    if (at + 2 > text.length() || !isDigit(text.charAt(at)) || !isDigit(text.charAt(at + 1))) {
      return -1;
    }
    return (text.charAt(at) - '0') * 10 + (text.charAt(at + 1) - '0');
  }

  /**
   * Returns the line without surrounding SP and HTAB (String.trim would strip control characters
   * too), or null if it is empty, too long, or has a character outside 0x20-7E.
   *
   * @param tabs whether HTAB is allowed inside, as around the commas of a structured field
   */
  static @Nullable String clean(String line, boolean tabs) {
    int from = 0;
    int to = line.length();
    while (from < to && isSpace(line.charAt(from))) {
      from++;
    }
    while (to > from && isSpace(line.charAt(to - 1))) {
      to--;
    }
    if (from == to || to - from > MAX_VALUE) {
      return null;
    }
    for (int i = from; i < to; i++) {
      char c = line.charAt(i);
      if ((c < 0x20 && !(tabs && c == '\t')) || c > 0x7e) {
        return null;
      }
    }
    return line.substring(from, to);
  }
}
