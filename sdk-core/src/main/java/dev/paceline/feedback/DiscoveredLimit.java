package dev.paceline.feedback;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A limit that a response publishes: a quota of requests and the length of its window.
 *
 * @param name the policy's name
 * @param permits how many requests, above 0; may be a fraction
 * @param period in which time
 */
public record DiscoveredLimit(String name, BigDecimal permits, Duration period) {

  /**
   * Returns the limits that a reading publishes. A quota of 0, of other units, or without a window
   * is none: a limit of 0 shown with a refusal is no rate.
   */
  public static List<DiscoveredLimit> of(Reading reading) {
    List<DiscoveredLimit> limits = new ArrayList<>();
    for (QuotaWindow window : reading.windows()) {
      if (window.countsRequests()
          && window.limit().isPresent()
          && window.limit().get().signum() > 0
          && window.window().isPresent()
          && !window.window().get().isZero()) {
        limits.add(new DiscoveredLimit(window.name(), window.limit().get(), window.window().get()));
      }
    }
    return limits;
  }

  /**
   * Returns the time between two requests at this limit, rounded up to a nanosecond; a fraction
   * such as Amazon's 0.0083 per second gives 120.48 seconds.
   */
  public Duration interval() {
    BigDecimal nanos = BigDecimal.valueOf(period.toNanos());
    BigDecimal interval = nanos.divide(permits, 0, RoundingMode.CEILING);
    // The smallest permit is a billionth; its interval in the longest window would not fit.
    return Duration.ofNanos(interval.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue());
  }
}
