package dev.paceline.feedback;

import dev.paceline.feedback.QuotaFields.Policy;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields that together tell one window, each in a header of its own. Only the bad field is
 * dropped. Where layers of a system repeat the fields, they pair by position if all that are
 * present have the same count; otherwise the strictest of each column stands.
 */
final class WindowSlot {

  /** The most values that one column may hold; more make it malformed. */
  static final int MAX_MEMBERS = 32;

  final HeaderField row;
  private final String name;
  private final String unit;
  private final long windowMillis;
  private final List<String> limits = new ArrayList<>(1);
  private final List<String> remainings = new ArrayList<>(1);
  private final List<String> resets = new ArrayList<>(1);
  private final List<String> preciseResets = new ArrayList<>(1);
  private HeaderMeaning remainingMeaning = HeaderMeaning.REMAINING;
  private HeaderMeaning resetMeaning = HeaderMeaning.RESET;
  private @Nullable String toldWindow;

  /** One window's values; any may be missing. */
  private record Row(
      @Nullable BigDecimal limit, @Nullable BigDecimal remaining, @Nullable Long reset) {}

  WindowSlot(HeaderField row, String name, String unit, long windowMillis) {
    this.row = row;
    this.name = name;
    this.unit = unit;
    this.windowMillis = windowMillis;
  }

  boolean isFor(HeaderField other, String window) {
    return row.rank() == other.rank() && name.equals(window) && row.group().equals(other.group());
  }

  void add(HeaderMeaning meaning, String value) {
    switch (meaning) {
      case LIMIT -> addTo(limits, value);
      case REMAINING, REMAINING_GROUPED, USED_FRACTION -> {
        remainingMeaning = meaning;
        addTo(remainings, value);
      }
      case RESET_AFTER -> addTo(preciseResets, value);
      case WINDOW_MILLIS -> toldWindow = value;
      default -> {
        resetMeaning = meaning;
        addTo(resets, value);
      }
    }
  }

  private static void addTo(List<String> column, String value) {
    // One beyond the bound is kept, so that the column is seen to be too long.
    if (column.size() <= MAX_MEMBERS) {
      column.add(value);
    }
  }

  /**
   * Adds the windows that the fields tell, if any.
   *
   * @param bucket the window's name if the response tells one
   * @param policies of the RateLimit-Policy field
   */
  void report(WindowSink sink, Instant reference, @Nullable String bucket, List<Policy> policies) {
    LimitColumn limit = LimitColumn.parse(limits);
    if (limit == null) {
      sink.ignore();
      limit = LimitColumn.ABSENT;
    }
    if (limit.negative()) {
      return;
    }
    Set<Row> rows =
        rows(
            limit.values(),
            Columns.remainings(remainings, remainingMeaning, sink),
            resets(reference, sink));
    List<Policy> listed = limit.policies().isEmpty() ? policies : limit.policies();
    String base = bucket != null && name.equals("default") ? bucket : name;
    long told = toldWindow(limit, sink);
    int number = 0;
    for (Row row : rows) {
      number++;
      Policy own = told == QuotaFields.UNTOLD ? policyOf(row, listed) : null;
      report(number == 1 ? base : base + "-" + number, row, told, own, sink);
    }
    for (Policy policy : limit.policies()) {
      if (!rows.isEmpty() && !sink.isClaimed(policy)) {
        sink.add(policy);
      }
    }
  }

  private void report(String name, Row row, long told, @Nullable Policy own, WindowSink sink) {
    if (own != null) {
      sink.claim(own);
    }
    boolean percent = remainingMeaning == HeaderMeaning.USED_FRACTION;
    sink.add(
        new QuotaWindow(
            name,
            percent ? Optional.of(Columns.HUNDRED) : Optional.ofNullable(row.limit),
            Optional.ofNullable(row.remaining),
            WindowSink.duration(row.reset == null ? QuotaFields.UNTOLD : row.reset),
            WindowSink.duration(own == null ? told : own.windowMillis()),
            percent ? "percent" : own == null ? unit : own.unit()));
  }

  private static @Nullable Policy policyOf(Row row, List<Policy> policies) {
    BigDecimal limit = row.limit;
    if (limit == null || limit.setScale(0, RoundingMode.FLOOR).compareTo(limit) != 0) {
      return null;
    }
    return QuotaFields.onlyOfQuota(limit.longValue(), policies);
  }

  private long toldWindow(LimitColumn limit, WindowSink sink) {
    if (toldWindow != null) {
      long told = Waits.ofMillis(Quantity.parse(toldWindow));
      if (told > 0) {
        return told;
      }
      sink.ignore();
    }
    return limit.windowMillis() != QuotaFields.UNTOLD ? limit.windowMillis() : windowMillis;
  }

  private List<Long> resets(Instant reference, WindowSink sink) {
    List<Long> precise = Columns.resets(preciseResets, HeaderMeaning.RESET_AFTER, reference, sink);
    return precise.isEmpty() ? Columns.resets(resets, resetMeaning, reference, sink) : precise;
  }

  private static Set<Row> rows(
      List<BigDecimal> limits, List<BigDecimal> remainings, List<Long> resets) {
    int count = Math.max(limits.size(), Math.max(remainings.size(), resets.size()));
    Set<Row> rows = new LinkedHashSet<>();
    if (fits(limits, count) && fits(remainings, count) && fits(resets, count)) {
      for (int i = 0; i < count; i++) {
        addIfTold(
            rows,
            limits.isEmpty() ? null : limits.get(i),
            remainings.isEmpty() ? null : remainings.get(i),
            resets.isEmpty() ? null : resets.get(i));
      }
    } else {
      addIfTold(
          rows,
          limits.stream().min(BigDecimal::compareTo).orElse(null),
          remainings.stream()
              .filter(value -> value.signum() >= 0)
              .min(BigDecimal::compareTo)
              .orElse(null),
          resets.stream().max(Long::compare).orElse(null));
    }
    return rows;
  }

  private static boolean fits(List<?> column, int count) {
    return column.isEmpty() || column.size() == count;
  }

  /** A reset alone tells nothing. */
  private static void addIfTold(
      Set<Row> rows,
      @Nullable BigDecimal limit,
      @Nullable BigDecimal remaining,
      @Nullable Long reset) {
    BigDecimal known = remaining == null || remaining.signum() < 0 ? null : remaining;
    if (limit != null || known != null) {
      rows.add(new Row(limit, known, reset));
    }
  }
}
