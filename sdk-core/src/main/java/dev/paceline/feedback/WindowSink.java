package dev.paceline.feedback;

import dev.paceline.feedback.QuotaFields.Policy;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Collects the windows of one response, up to the bound, and counts what was ignored. */
final class WindowSink {

  private final List<QuotaWindow> windows = new ArrayList<>(4);
  private final List<Policy> claimed = new ArrayList<>(2);
  private int ignored;

  void add(QuotaWindow window) {
    if (windows.size() == Reading.MAX_WINDOWS) {
      ignored++;
    } else {
      windows.add(window);
    }
  }

  /** Adds a policy of which the response tells no counter. */
  void add(Policy policy) {
    add(
        new QuotaWindow(
            policy.label(),
            Optional.of(BigDecimal.valueOf(policy.quota())),
            Optional.empty(),
            Optional.empty(),
            duration(policy.windowMillis()),
            policy.unit()));
  }

  /** Notes that a window already stands for the policy. */
  void claim(Policy policy) {
    claimed.add(policy);
  }

  boolean isClaimed(Policy policy) {
    return claimed.contains(policy);
  }

  void ignore() {
    ignored++;
  }

  int ignored() {
    return ignored;
  }

  int size() {
    return windows.size();
  }

  List<QuotaWindow> windows() {
    return windows;
  }

  static Optional<Duration> duration(long millis) {
    return millis < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
  }

  static Optional<BigDecimal> number(long value) {
    return value < 0 ? Optional.empty() : Optional.of(BigDecimal.valueOf(value));
  }

  /** Returns what is left of a percentage, of which more than all may be used. */
  static QuotaWindow percentage(
      String name, BigDecimal used, Optional<Duration> reset, Optional<Duration> window) {
    BigDecimal hundred = BigDecimal.valueOf(100);
    return new QuotaWindow(
        name,
        Optional.of(hundred),
        Optional.of(hundred.subtract(used).max(BigDecimal.ZERO)),
        reset,
        window,
        "percent");
  }

  /** Returns the window of a used count and its limit. */
  static @Nullable QuotaWindow usedOf(
      String name, String text, int from, int to, Optional<Duration> window, String unit) {
    int slash = text.indexOf('/', from);
    if (slash < 0 || slash >= to) {
      return null;
    }
    Quantity used = Quantity.parse(text, from, slash);
    Quantity limit = Quantity.parse(text, slash + 1, to);
    if (used == null || limit == null) {
      return null;
    }
    BigDecimal left = limit.toBigDecimal().subtract(used.toBigDecimal()).max(BigDecimal.ZERO);
    return new QuotaWindow(
        name, Optional.of(limit.toBigDecimal()), Optional.of(left), Optional.empty(), window, unit);
  }
}
