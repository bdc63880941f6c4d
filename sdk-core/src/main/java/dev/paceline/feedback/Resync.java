package dev.paceline.feedback;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a pacer may take from a response's counters: the provider's own count of requests left.
 *
 * @param name the window's name; counters of another name belong to another bucket
 * @param remaining how many requests are left, at least 0
 * @param reset the time from the response until more are available; empty: told by nothing, so that
 *     a pacer must probe rather than hold for ever
 * @param limit the quota of the whole window; 0 teaches nothing
 * @param window the window's length
 */
public record Resync(
    String name,
    long remaining,
    Optional<Duration> reset,
    Optional<BigDecimal> limit,
    Optional<Duration> window) {

  /**
   * Returns the counters of a reading that count requests. Tokens, points, percentages and units
   * that are not known never pace requests.
   */
  public static List<Resync> of(Reading reading) {
    List<Resync> counters = new ArrayList<>(reading.windows().size());
    for (QuotaWindow window : reading.windows()) {
      if (window.countsRequests() && window.left().isPresent()) {
        counters.add(
            new Resync(
                window.name(),
                window.remaining().orElseThrow(),
                window.reset(),
                window.limit(),
                window.window()));
      }
    }
    return counters;
  }

  /**
   * Returns the interval between requests that spends what is left evenly until the reset; empty if
   * the reset is not told or has come, or if nothing is left to spread: then the whole reset is to
   * be waited for.
   *
   * @param pending the permits already reserved, but not sent when the response came
   */
  public Optional<Duration> interval(long pending) {
    long left = remaining - Math.max(0, pending);
    if (left <= 0 || reset.isEmpty() || reset.get().isZero()) {
      return Optional.empty();
    }
    return Optional.of(reset.get().dividedBy(left));
  }
}
