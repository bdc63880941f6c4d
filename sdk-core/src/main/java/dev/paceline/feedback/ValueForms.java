package dev.paceline.feedback;

import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Header values that tell whole windows in forms of a vendor's own. */
final class ValueForms {

  /** The most parts of one value; a longer one is malformed. */
  private static final int MAX_PARTS = 64;

  private ValueForms() {}

  /**
   * Adds the windows that the value tells.
   *
   * @param word the word in the header's name
   * @return whether it is well-formed; if not, nothing was added
   */
  static boolean read(HeaderField row, String word, String value, WindowSink sink) {
    if (parts(value) > MAX_PARTS) {
      return false;
    }
    return switch (row.meaning()) {
      case USED -> used(row, word, value, sink);
      case USED_OF_LIMIT -> usedOfLimit(row, word, value, sink);
      case USED_OF_LIMIT_LIST -> usedOfLimitList(row, value, sink);
      case REMAINING_LIST -> remainingList(row, value, sink);
      case NAMED_COUNTS -> namedCounts(row, word, value, ';', sink);
      case QUOTA_LIST -> quotaList(row, value, sink);
      default -> false;
    };
  }

  private static int parts(String value) {
    int parts = 1;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      parts += c == ',' || c == ';' ? 1 : 0;
    }
    return parts;
  }

  private static boolean used(HeaderField row, String word, String value, WindowSink sink) {
    long length = Words.length(row, word);
    if (Quantity.parse(value) == null || length == QuotaFields.UNTOLD) {
      return false;
    }
    sink.add(
        new QuotaWindow(
            Words.window(row, word),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            WindowSink.duration(length),
            Words.unit(row, word)));
    return true;
  }

  private static boolean usedOfLimit(HeaderField row, String word, String value, WindowSink sink) {
    return addUsed(Words.window(row, word), value, 0, value.length(), row, sink);
  }

  private static boolean addUsed(
      String name, String value, int from, int to, HeaderField row, WindowSink sink) {
    QuotaWindow window =
        WindowSink.usedOf(
            name, value, from, to, WindowSink.duration(Words.length(row, "")), row.unit());
    if (window == null) {
      return false;
    }
    sink.add(window);
    return true;
  }

  /** The row's window is a pattern for the names that are read. */
  private static boolean usedOfLimitList(HeaderField row, String value, WindowSink sink) {
    HeaderSignal names = new HeaderSignal(row.header(), row.window(), Verdict.THROTTLED);
    boolean found = false;
    int from = 0;
    while (from < value.length()) {
      int to = end(value, ';', from);
      int equals = find(value, '=', from, to);
      if (equals < to) {
        String name = value.substring(from, equals).strip();
        int end = JoinedValues.trimEnd(value, equals + 1, find(value, '(', equals, to));
        found |= names.matches(name) && addUsed(name, value, equals + 1, end, row, sink);
      }
      from = to + 1;
    }
    return found;
  }

  private static boolean remainingList(HeaderField row, String value, WindowSink sink) {
    boolean wellFormed = true;
    int from = 0;
    while (from < value.length()) {
      int to = end(value, ',', from);
      int semicolon = find(value, ';', from, to);
      Quantity left =
          semicolon > from && semicolon < to
              ? Quantity.parse(value, semicolon + 1, JoinedValues.trimEnd(value, semicolon, to))
              : null;
      if (left == null) {
        wellFormed = false;
      } else {
        String name = value.substring(from, semicolon).strip();
        sink.add(
            new QuotaWindow(
                name,
                Optional.empty(),
                WindowSink.number(left.whole()),
                Optional.empty(),
                WindowSink.duration(Words.trailingLength(name)),
                row.unit()));
      }
      from = to + 1;
    }
    return wellFormed;
  }

  private static boolean quotaList(HeaderField row, String value, WindowSink sink) {
    boolean wellFormed = true;
    int from = 0;
    while (from < value.length()) {
      int to = end(value, ',', from);
      wellFormed &= namedCounts(row, "", value.substring(from, to), ';', sink);
      from = to + 1;
    }
    return wellFormed;
  }

  /** Reads parts such as {@code total=100} or {@code q=100}; a part without a sign is the name. */
  private static boolean namedCounts(
      HeaderField row, String word, String value, char separator, WindowSink sink) {
    String name = word;
    Quantity limit = null;
    Quantity left = null;
    Quantity reset = null;
    int from = 0;
    while (from < value.length()) {
      int to = end(value, separator, from);
      String part = value.substring(from, to).strip();
      int equals = part.indexOf('=');
      String key = equals < 0 ? "b" : part.substring(0, equals);
      String told = part.substring(equals + 1);
      switch (key) {
        case "b" -> name = told;
        case "q", "total" -> limit = Quantity.parse(told);
        case "r", "remaining" -> left = Quantity.parse(told);
        case "t", "resets" -> reset = Quantity.parse(told);
        default -> {}
      }
      from = to + 1;
    }
    if (limit == null && left == null) {
      return false;
    }
    sink.add(
        new QuotaWindow(
            Words.window(row, name),
            optional(limit),
            left == null ? Optional.empty() : WindowSink.number(left.whole()),
            WindowSink.duration(Waits.ofSeconds(reset)),
            WindowSink.duration(Words.length(row, name)),
            Words.unit(row, name)));
    return true;
  }

  private static Optional<BigDecimal> optional(@Nullable Quantity quantity) {
    return quantity == null ? Optional.empty() : Optional.of(quantity.toBigDecimal());
  }

  private static int end(String text, char separator, int from) {
    return find(text, separator, from, text.length());
  }

  /**
   * Returns the index of {@code c}, or {@code to}; never looks beyond, so that loops stay linear.
   */
  private static int find(String text, char c, int from, int to) {
    int at = from;
    while (at < to && text.charAt(at) != c) {
      at++;
    }
    return at;
  }
}
