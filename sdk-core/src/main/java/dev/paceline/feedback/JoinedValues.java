package dev.paceline.feedback;

/**
 * Walks over values that were joined by a comma and at least one space. A comma alone does not part
 * values: {@code 1,000} is malformed, not two numbers.
 */
final class JoinedValues {

  private JoinedValues() {}

  /** Returns the end of the member that begins at {@code from}. */
  static int memberEnd(String value, int from) {
    int at = from;
    while (at < value.length() && !(value.charAt(at) == ',' && isSpaceAt(value, at + 1))) {
      at++;
    }
    return at;
  }

  /** Returns {@code to} without the white space before it. */
  static int trimEnd(String value, int from, int to) {
    int end = to;
    while (end > from && Ascii.isSpace(value.charAt(end - 1))) {
      end--;
    }
    return end;
  }

  /** Returns the start of the member after one that ends at {@code to}; beyond the end: none. */
  static int next(String value, int to) {
    if (to >= value.length()) {
      return value.length() + 1;
    }
    int at = to + 1;
    while (isSpaceAt(value, at)) {
      at++;
    }
    return at;
  }

  private static boolean isSpaceAt(String value, int at) {
    return at < value.length() && Ascii.isSpace(value.charAt(at));
  }
}
