package dev.paceline.feedback;

import org.jspecify.annotations.Nullable;

/**
 * A member of a list of quotas, such as {@code 10;w=1;name="x"} or {@code 100;window=60}.
 *
 * @param windowMillis {@link QuotaFields#UNTOLD} if not told
 */
record ListedQuota(Quantity limit, long windowMillis, @Nullable String name) {

  /** Returns the quota between the indexes, or null if it is malformed. */
  static @Nullable ListedQuota parse(String text, int from, int to) {
    int start = from;
    while (start < to && Ascii.isSpace(text.charAt(start))) {
      start++;
    }
    int semicolon = LimitColumn.unquoted(text, ';', start, to);
    Quantity limit = Quantity.parse(text, start, JoinedValues.trimEnd(text, start, semicolon));
    if (limit == null) {
      return null;
    }
    long windowMillis = QuotaFields.UNTOLD;
    String name = null;
    int at = semicolon;
    while (at < to) {
      int end = LimitColumn.unquoted(text, ';', at + 1, to);
      String param = text.substring(at + 1, end).strip();
      if (param.startsWith("w=") || param.startsWith("window=")) {
        long millis = Waits.ofSeconds(Quantity.parse(param.substring(param.indexOf('=') + 1)));
        if (millis <= 0) {
          return null;
        }
        windowMillis = millis;
      } else if (param.startsWith("name=")) {
        name = unquote(param.substring("name=".length()));
      }
      at = end;
    }
    return new ListedQuota(limit, windowMillis, name);
  }

  QuotaFields.Policy toPolicy() {
    return new QuotaFields.Policy(name, limit.whole(), windowMillis, QuotaWindow.REQUESTS, "");
  }

  private static String unquote(String text) {
    boolean quoted = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"");
    return quoted ? text.substring(1, text.length() - 1) : text;
  }
}
