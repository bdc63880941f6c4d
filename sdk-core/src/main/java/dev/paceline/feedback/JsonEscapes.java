package dev.paceline.feedback;

/** Escapes of JSON strings. */
final class JsonEscapes {

  private static final String LETTERS = "\"\\/bfnrt";
  private static final String MEANINGS = "\"\\/\b\f\n\r\t";

  private JsonEscapes() {}

  /** Returns the length of the escape after a backslash at {@code at - 1}; 0 if it is none. */
  static int length(String text, int at) {
    if (at >= text.length()) {
      return 0;
    }
    if (LETTERS.indexOf(text.charAt(at)) >= 0) {
      return 1;
    }
    if (text.charAt(at) != 'u' || at + 5 > text.length()) {
      return 0;
    }
    for (int i = at + 1; i < at + 5; i++) {
      if (hex(text.charAt(i)) < 0) {
        return 0;
      }
    }
    return 5;
  }

  /** Returns the text of a string whose escapes are known to be valid. */
  static String decode(String raw) {
    StringBuilder decoded = new StringBuilder(raw.length());
    int at = 0;
    while (at < raw.length()) {
      char c = raw.charAt(at++);
      if (c != '\\') {
        decoded.append(c);
        continue;
      }
      char letter = raw.charAt(at);
      if (letter == 'u') {
        int unit = 0;
        for (int i = at + 1; i < at + 5; i++) {
          unit = unit * 16 + hex(raw.charAt(i));
        }
        decoded.append((char) unit);
        at += 5;
      } else {
        decoded.append(MEANINGS.charAt(LETTERS.indexOf(letter)));
        at++;
      }
    }
    return decoded.toString();
  }

  private static int hex(char c) {
    char lower = Ascii.lower(c);
    return Ascii.isDigit(c) ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  }
}
