package dev.paceline.feedback;

import java.time.Duration;
import java.util.Map;

/** What the word in a header's name, such as {@code tokens} or {@code minute}, tells. */
final class Words {

  private static final Map<String, Long> SECONDS =
      Map.ofEntries(
          Map.entry("second", 1L),
          Map.entry("secondly", 1L),
          Map.entry("minute", 60L),
          Map.entry("minutely", 60L),
          Map.entry("hour", 3600L),
          Map.entry("hourly", 3600L),
          Map.entry("day", 86_400L),
          Map.entry("daily", 86_400L),
          Map.entry("week", 604_800L),
          Map.entry("weekly", 604_800L));

  private Words() {}

  static String unit(HeaderField row, String word) {
    if (!row.unit().isEmpty()) {
      return row.unit();
    }
    return word.contains("tokens") ? "tokens" : QuotaWindow.REQUESTS;
  }

  static String window(HeaderField row, String word) {
    int star = row.window().indexOf('*');
    return star < 0
        ? row.window()
        : row.window().substring(0, star) + word + row.window().substring(star + 1);
  }

  /** Returns the window's length in milliseconds, or {@link QuotaFields#UNTOLD}. */
  static long length(HeaderField row, String word) {
    if (!row.length().equals(HeaderField.BY_NAME)) {
      return row.length().equals(Duration.ZERO) ? QuotaFields.UNTOLD : row.length().toMillis();
    }
    String span = word.startsWith("per_") || word.startsWith("per-") ? word.substring(4) : word;
    Long seconds = SECONDS.get(span);
    return seconds != null ? seconds * 1000 : interval(span, 0, span.length());
  }

  /** Reads {@code 1m} or {@code 10s}, in milliseconds. */
  private static long interval(String text, int from, int to) {
    if (to - from < 2 || to - from > 7) {
      return QuotaFields.UNTOLD;
    }
    Quantity count = Quantity.parse(text, from, to - 1);
    long unit =
        switch (text.charAt(to - 1)) {
          case 's' -> 1_000L;
          case 'm' -> 60_000L;
          case 'h' -> 3_600_000L;
          case 'd' -> 86_400_000L;
          default -> 0;
        };
    long millis = count == null || count.nanos() != 0 ? 0 : count.whole() * unit;
    return millis > 0 && millis <= Waits.MAX_MILLIS ? millis : QuotaFields.UNTOLD;
  }

  /** Reads the end of an Azure policy name such as {@code HighCostGet3Min}, in milliseconds. */
  static long trailingLength(String name) {
    int digits;
    long unit;
    if (name.endsWith("Min")) {
      digits = name.length() - 3;
      unit = 60_000L;
    } else if (name.endsWith("Sec")) {
      digits = name.length() - 3;
      unit = 1_000L;
    } else if (name.endsWith("Hour")) {
      digits = name.length() - 4;
      unit = 3_600_000L;
    } else {
      return QuotaFields.UNTOLD;
    }
    int from = digits;
    while (from > 0 && digits - from < 5 && Ascii.isDigit(name.charAt(from - 1))) {
      from--;
    }
    Quantity count = Quantity.parse(name, from, digits);
    return count == null || count.whole() == 0 ? QuotaFields.UNTOLD : count.whole() * unit;
  }
}
