package dev.paceline.feedback;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One quota as a response tells it.
 *
 * @param name the policy's or bucket's name, or {@code default}
 * @param limit the quota of the whole window; may be a fraction (Amazon's 0.5 per second), and 0
 * @param left what is left of it, never negative; a fraction only for percentages
 * @param reset the time until more of it is available, never negative
 * @param window the window's length, only where the response tells it
 * @param unit what is counted: {@code requests}, {@code tokens}, {@code points}, {@code percent}, …
 */
public record QuotaWindow(
    String name,
    Optional<BigDecimal> limit,
    Optional<BigDecimal> left,
    Optional<Duration> reset,
    Optional<Duration> window,
    String unit) {

  /** The unit of a quota that counts requests, one each. */
  public static final String REQUESTS = "requests";

  /** Returns what is left in whole units, rounded down. */
  public OptionalLong remaining() {
    return left.isPresent()
        ? OptionalLong.of(left.get().setScale(0, RoundingMode.FLOOR).longValue())
        : OptionalLong.empty();
  }

  /** Returns whether the response says that nothing is left. */
  public boolean exhausted() {
    return left.isPresent() && left.get().signum() == 0;
  }

  /** Returns whether the quota counts requests; quotas in other units must not pace requests. */
  public boolean countsRequests() {
    return unit.equals(REQUESTS);
  }
}
