package dev.paceline.feedback;

import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.OptionalLong;

/** Words in which the built-in profiles are written. */
final class Published {

  static final Duration SECOND = Duration.ofSeconds(1);
  static final Duration MINUTE = Duration.ofMinutes(1);
  static final Duration HOUR = Duration.ofHours(1);
  static final Duration DAY = Duration.ofDays(1);

  private static final LocalDate COMPILED = LocalDate.of(2026, 11, 30);

  private Published() {}

  /** Begins a profile whose facts are those of the page at {@code source}. */
  static ProfileBuilder at(String name, String source, String... hosts) {
    return Profile.builder(name).source(source).asOf(COMPILED).hosts(List.of(hosts));
  }

  static PublishedLimit gcra(long permits, Duration period) {
    return PublishedLimit.of(permits, period, "gcra");
  }

  static PublishedLimit fixed(long permits, Duration period) {
    return PublishedLimit.of(permits, period, "fixed-window");
  }

  static PublishedLimit sliding(long permits, Duration period) {
    return PublishedLimit.of(permits, period, "sliding-window");
  }

  static PublishedLimit tokens(long permits, Duration period, long burst) {
    return new PublishedLimit(
        "*", permits, period, "token-bucket", OptionalLong.of(burst), QuotaWindow.REQUESTS);
  }

  static PublishedLimit leaky(long permits, Duration period, long burst) {
    return new PublishedLimit(
        "*", permits, period, "leaky-bucket", OptionalLong.of(burst), QuotaWindow.REQUESTS);
  }

  static BodyRule equal(String place, List<String> values, Verdict... verdicts) {
    return BodyRule.of(BodyRule.Match.EQUALS, place, values, verdicts);
  }

  static BodyRule equal(String place, String value, Verdict... verdicts) {
    return equal(place, List.of(value), verdicts);
  }

  static BodyRule contains(String place, String value, Verdict... verdicts) {
    return BodyRule.of(BodyRule.Match.CONTAINS, place, List.of(value), verdicts);
  }

  static BodyRule at(BodyRule.Match match, String place, Verdict... verdicts) {
    return BodyRule.of(match, place, List.of(), verdicts);
  }
}
