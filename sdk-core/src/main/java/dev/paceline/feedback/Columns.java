package dev.paceline.feedback;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of one field that is repeated, or joined by an intermediary. Any bad member drops the
 * field: an empty list, counted as ignored.
 */
final class Columns {

  static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  private static final BigDecimal UNKNOWN = BigDecimal.valueOf(-1);

  private Columns() {}

  /** Returns what is left, negative where it is told to be unknown. */
  static List<BigDecimal> remainings(List<String> lines, HeaderMeaning meaning, WindowSink sink) {
    List<BigDecimal> values = new ArrayList<>(lines.size());
    for (String line : lines) {
      int from = 0;
      while (from <= line.length()) {
        int to =
            meaning == HeaderMeaning.REMAINING ? JoinedValues.memberEnd(line, from) : line.length();
        int end = JoinedValues.trimEnd(line, from, to);
        BigDecimal value = remaining(line.substring(from, end), meaning);
        if (value == null || values.size() == WindowSlot.MAX_MEMBERS) {
          sink.ignore();
          return List.of();
        }
        values.add(value);
        from = JoinedValues.next(line, to);
      }
    }
    return values;
  }

  private static @Nullable BigDecimal remaining(String text, HeaderMeaning meaning) {
    switch (meaning) {
      case USED_FRACTION -> {
        Quantity used = Quantity.parse(text);
        return used == null
            ? null
            : HUNDRED
                .subtract(used.toBigDecimal().movePointRight(2).stripTrailingZeros())
                .max(BigDecimal.ZERO);
      }
      case REMAINING_GROUPED -> {
        Quantity left = GroupedNumbers.parse(text);
        return left == null ? null : BigDecimal.valueOf(left.whole());
      }
      default -> {
        if (LimitColumn.isNegative(text, 0, text.length())) {
          return text.equals("-1") ? UNKNOWN : BigDecimal.ZERO;
        }
        ListedQuota left = ListedQuota.parse(text, 0, text.length());
        return left == null ? null : BigDecimal.valueOf(left.limit().whole());
      }
    }
  }

  /** Returns waits in milliseconds. */
  static List<Long> resets(
      List<String> lines, HeaderMeaning meaning, Instant reference, WindowSink sink) {
    List<Long> waits = new ArrayList<>(lines.size());
    for (String line : lines) {
      // The whole line first: the comma of a date does not part values.
      long whole = reset(line, meaning, reference);
      if (whole != Waits.NONE) {
        waits.add(whole);
      } else if (!addMembers(waits, line, meaning, reference)) {
        sink.ignore();
        return List.of();
      }
    }
    if (waits.size() > WindowSlot.MAX_MEMBERS) {
      sink.ignore();
      return List.of();
    }
    return waits;
  }

  private static boolean addMembers(
      List<Long> waits, String line, HeaderMeaning meaning, Instant reference) {
    if (line.length() > Ascii.MAX_SCALAR || JoinedValues.memberEnd(line, 0) == line.length()) {
      return false;
    }
    int from = 0;
    while (from <= line.length()) {
      int to = JoinedValues.memberEnd(line, from);
      String member = line.substring(from, JoinedValues.trimEnd(line, from, to));
      long wait = reset(member, meaning, reference);
      if (wait == Waits.NONE) {
        return false;
      }
      waits.add(wait);
      from = JoinedValues.next(line, to);
    }
    return true;
  }

  private static long reset(String value, HeaderMeaning meaning, Instant reference) {
    return switch (meaning) {
      case RESET_AFTER -> Waits.ofSeconds(Quantity.parse(value));
      case RESET_MILLIS -> Waits.ofMillis(Quantity.parse(value));
      case RESET_SCRIPT_DATE -> {
        long script = Waits.until(CalendarTime.script(value), reference);
        yield script != Waits.NONE ? script : Waits.reset(value, reference);
      }
      default -> Waits.reset(value, reference);
    };
  }
}
