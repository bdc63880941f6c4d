package dev.paceline.feedback;

/**
 * Durations as Go prints them and OpenAI, Groq and Traefik send them: {@code 1h30m0s}, {@code
 * 7.66s}, {@code 120ms}. No sign, no spaces, ASCII units.
 */
final class GoDurations {

  private GoDurations() {}

  /** Returns the duration in milliseconds, rounded up, or -1 if it is none or above the cap. */
  static long millis(String text) {
    if (text.length() > Ascii.MAX_SCALAR || text.isEmpty()) {
      return -1;
    }
    long nanos = 0;
    long millis = 0;
    int at = 0;
    while (at < text.length()) {
      int start = at;
      while (at < text.length() && isNumeric(text.charAt(at))) {
        at++;
      }
      Quantity quantity = Quantity.parse(text, start, at);
      long unit = unitNanos(text, at);
      if (quantity == null || unit == 0) {
        return -1;
      }
      at += unitLength(text, at);
      // Both products fit: the whole part is bounded by the cap before it is multiplied.
      if (quantity.whole() > Waits.MAX_MILLIS * 1_000_000L / unit) {
        return -1;
      }
      long whole = quantity.whole() * (unit / 1_000_000L);
      if (unit < 1_000_000L) {
        long part = quantity.whole() * unit;
        whole = part / 1_000_000L;
        nanos += part % 1_000_000L;
      }
      millis += whole;
      // A fraction of an hour is up to 3.6e12 ns; nanos × hours would overflow, so split it.
      nanos += fractionNanos(quantity.nanos(), unit);
      if (millis > Waits.MAX_MILLIS) {
        return -1;
      }
    }
    long total = millis + (nanos + 999_999L) / 1_000_000L;
    return total > Waits.MAX_MILLIS ? -1 : total;
  }

  private static long fractionNanos(int billionths, long unit) {
    if (unit < 1_000_000_000L) {
      return (billionths * unit + 999_999_999L) / 1_000_000_000L;
    }
    return billionths * (unit / 1_000_000_000L);
  }

  private static boolean isNumeric(char c) {
    return Ascii.isDigit(c) || c == '.';
  }

  private static long unitNanos(String text, int at) {
    if (at >= text.length()) {
      return 0;
    }
    boolean prefixed = unitLength(text, at) == 2;
    return switch (text.charAt(at)) {
      case 'h' -> 3_600_000_000_000L;
      case 'm' -> prefixed ? 1_000_000L : 60_000_000_000L;
      case 's' -> 1_000_000_000L;
      case 'u' -> prefixed ? 1_000L : 0;
      case 'n' -> prefixed ? 1L : 0;
      default -> 0;
    };
  }

  private static int unitLength(String text, int at) {
    char first = text.charAt(at);
    boolean canBePrefix = first == 'm' || first == 'u' || first == 'n';
    return canBePrefix && at + 1 < text.length() && text.charAt(at + 1) == 's' ? 2 : 1;
  }
}
