package dev.paceline.feedback;

import dev.paceline.feedback.QuotaFields.Policy;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the limit fields of one window say: a number; several, joined or repeated by layers; a
 * period such as {@code 1m} (AspNetCoreRateLimit); or the current limit and policies such as {@code
 * 100, 100;w=60, 1000;w=3600}.
 *
 * @param values the current limits
 * @param windowMillis the current limit's window, or {@link QuotaFields#UNTOLD}
 * @param policies the policies listed after the current limit
 * @param negative whether a limit is negative, which says that there is no information at all
 */
record LimitColumn(
    List<BigDecimal> values, long windowMillis, List<Policy> policies, boolean negative) {

  static final LimitColumn ABSENT =
      new LimitColumn(List.of(), QuotaFields.UNTOLD, List.of(), false);

  private static final LimitColumn NEGATIVE =
      new LimitColumn(List.of(), QuotaFields.UNTOLD, List.of(), true);

  /** Returns what the lines say, or null if any member of them is malformed. */
  static @Nullable LimitColumn parse(List<String> lines) {
    if (lines.isEmpty()) {
      return ABSENT;
    }
    for (String line : lines) {
      if (line.indexOf(';') >= 0) {
        return listed(lines);
      }
    }
    if (lines.size() == 1) {
      long period = period(lines.get(0));
      if (period > 0) {
        return new LimitColumn(List.of(), period, List.of(), false);
      }
    }
    List<BigDecimal> values = new ArrayList<>(lines.size());
    for (String line : lines) {
      int from = 0;
      while (from <= line.length()) {
        int to = JoinedValues.memberEnd(line, from);
        int end = JoinedValues.trimEnd(line, from, to);
        if (isNegative(line, from, end)) {
          return NEGATIVE;
        }
        Quantity value = Quantity.parse(line, from, end);
        if (value == null || values.size() == WindowSlot.MAX_MEMBERS) {
          return null;
        }
        values.add(value.toBigDecimal());
        from = JoinedValues.next(line, to);
      }
    }
    return new LimitColumn(values, QuotaFields.UNTOLD, List.of(), false);
  }

  static boolean isNegative(String text, int from, int to) {
    return from < to && text.charAt(from) == '-' && Quantity.parse(text, from + 1, to) != null;
  }

  /** Reads {@code ^[0-9]{1,6}[smhd]$} as milliseconds, or returns -1. */
  private static long period(String text) {
    int digits = text.length() - 1;
    if (digits < 1 || digits > 6) {
      return -1;
    }
    Quantity count = Quantity.parse(text, 0, digits);
    long unit =
        switch (text.charAt(digits)) {
          case 's' -> 1_000L;
          case 'm' -> 60_000L;
          case 'h' -> 3_600_000L;
          case 'd' -> 86_400_000L;
          default -> 0;
        };
    long millis = count == null || count.nanos() != 0 ? 0 : count.whole() * unit;
    return millis > Waits.MAX_MILLIS ? -1 : millis;
  }

  private static @Nullable LimitColumn listed(List<String> lines) {
    List<BigDecimal> values = List.of();
    long windowMillis = QuotaFields.UNTOLD;
    List<Policy> policies = new ArrayList<>();
    int count = 0;
    for (String line : lines) {
      int from = 0;
      while (from <= line.length()) {
        int to = unquoted(line, ',', from, line.length());
        ListedQuota quota = ListedQuota.parse(line, from, to);
        if (quota == null || count++ == WindowSlot.MAX_MEMBERS) {
          return null;
        }
        if (values.isEmpty()) {
          values = List.of(quota.limit().toBigDecimal());
          windowMillis = quota.windowMillis();
        } else if (!policies.contains(quota.toPolicy())) {
          policies.add(quota.toPolicy());
        }
        from = to + 1;
      }
    }
    return new LimitColumn(values, windowMillis, policies, false);
  }

  /** Returns the index of {@code c} outside double quotes, or {@code to}. */
  static int unquoted(String text, char c, int from, int to) {
    boolean quoted = false;
    for (int at = from; at < to; at++) {
      char found = text.charAt(at);
      if (found == '"') {
        quoted = !quoted;
      } else if (found == c && !quoted) {
        return at;
      }
    }
    return to;
  }
}
