package dev.paceline.feedback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Units of resets, as users of other libraries saw them confused; the ids are those faults'. */
final class ResetUnitsTest {

  private static final Instant NOW = Instant.parse("2026-01-15T12:00:00Z");

  private static Reading read(int status, Instant now, String... lines) {
    return FeedbackReader.standard().read(ResponseFacts.of(status, HeaderLines.of(lines), now));
  }

  private static Optional<Duration> waitFor(String... lines) {
    return read(429, NOW, lines).effectiveWait();
  }

  // HU-01
  @Test
  void one_name_holds_seconds_or_an_instant() {
    Reading epoch =
        read(
            429,
            Instant.parse("2013-07-01T17:27:06Z"),
            "Date",
            "Mon, 01 Jul 2013 17:27:06 GMT",
            "X-RateLimit-Remaining",
            "0",
            "X-RateLimit-Reset",
            "1372700873");

    assertThat(epoch.effectiveWait()).contains(Duration.ofSeconds(1247));
    assertThat(waitFor("X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "2513"))
        .contains(Duration.ofSeconds(2513));
  }

  // HU-02
  @Test
  void thirteen_digits_are_milliseconds() {
    assertThat(waitFor("X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "1768478430000"))
        .contains(Duration.ofSeconds(30));
  }

  // HU-04
  @ParameterizedTest
  @ValueSource(strings = {"1768478420000000", "1768478420000000000"})
  void microseconds_and_nanoseconds_are_not_believed(String value) {
    assertThat(waitFor("X-RateLimit-Remaining", "0", "X-RateLimit-Reset", value)).isEmpty();
  }

  // HU-05
  @Test
  void an_instant_just_past_is_no_wait() {
    assertThat(waitFor("X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "1768478398"))
        .contains(Duration.ZERO);
  }

  // HU-07
  @Test
  void of_two_spent_quotas_the_longer_reset_counts() {
    assertThat(
            waitFor(
                "x-ratelimit-remaining-requests", "0",
                "x-ratelimit-reset-requests", "1s",
                "x-ratelimit-remaining-tokens", "0",
                "x-ratelimit-reset-tokens", "6m0s"))
        .contains(Duration.ofMinutes(6));
  }

  // HU-08
  @Test
  void the_reset_of_a_quota_with_room_does_not_count() {
    Reading reading =
        read(
            429,
            Instant.parse("2024-03-26T19:59:59Z"),
            "date",
            "Tue, 26 Mar 2024 19:59:59 GMT",
            "anthropic-ratelimit-requests-remaining",
            "0",
            "anthropic-ratelimit-requests-reset",
            "2024-03-26T20:00:00Z",
            "anthropic-ratelimit-tokens-remaining",
            "16000",
            "anthropic-ratelimit-tokens-reset",
            "2024-03-26T21:00:00Z");

    assertThat(reading.effectiveWait()).contains(Duration.ofSeconds(1));
  }

  // HU-10
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"p1\";r=0;t=20, \"p2\";r=121;t=300 |                       | 20",
        "\"p1\";r=0;t=20                     | \"p2\";r=121;t=300    | 20",
        "\"p2\";r=121;t=300                  | \"p1\";r=0;t=20       | 20",
        "\"p1\";r=0;t=20                     | \"p2\";r=0;t=300      | 300"
      })
  void a_list_may_come_on_several_lines(String first, String second, long seconds) {
    String[] lines =
        second == null
            ? new String[] {"RateLimit", first}
            : new String[] {"RateLimit", first, "RateLimit", second};

    assertThat(waitFor(lines)).contains(Duration.ofSeconds(seconds));
  }

  // HU-11
  @Test
  void an_older_draft_lists_policies_in_the_limit() {
    Reading reading =
        read(
            200,
            NOW,
            "RateLimit-Limit",
            "100, 100;w=60",
            "RateLimit-Remaining",
            "0",
            "RateLimit-Reset",
            "5");

    assertThat(reading.windows())
        .singleElement()
        .satisfies(
            window -> {
              assertThat(window.limit()).contains(BigDecimal.valueOf(100));
              assertThat(window.window()).contains(Duration.ofMinutes(1));
              assertThat(window.reset()).contains(Duration.ofSeconds(5));
            });
  }

  // HU-13
  @ParameterizedTest
  @CsvSource({"0.0167, 59.9", "0.0083, 120.48", "0.5, 2", "1, 1"})
  void a_fraction_of_a_request_per_second_is_an_interval(String rate, double seconds) {
    Reading reading = read(200, NOW, "x-amzn-RateLimit-Limit", rate);

    assertThat(DiscoveredLimit.of(reading))
        .singleElement()
        .satisfies(
            limit -> assertThat(limit.interval().toNanos() / 1e9).isCloseTo(seconds, within(0.1)));
  }

  // HU-13
  @Test
  void a_rate_that_is_absent_or_zero_teaches_nothing() {
    assertThat(DiscoveredLimit.of(read(429, NOW))).isEmpty();
    assertThat(DiscoveredLimit.of(read(200, NOW, "x-amzn-RateLimit-Limit", "0.0"))).isEmpty();
  }

  @Test
  void counters_of_other_units_do_not_pace_requests() {
    Reading reading =
        read(
            200,
            NOW,
            "RateLimit-Policy",
            "\"p\";q=10;w=1;qu=\"acme-points\", \"r\";q=10;w=60",
            "RateLimit",
            "\"p\";r=0;t=100, \"r\";r=4;t=20");

    assertThat(Resync.of(reading))
        .containsExactly(
            new Resync(
                "r",
                4,
                Optional.of(Duration.ofSeconds(20)),
                Optional.of(BigDecimal.TEN),
                Optional.of(Duration.ofMinutes(1))));
    assertThat(DiscoveredLimit.of(reading)).extracting(DiscoveredLimit::name).containsExactly("r");
  }

  @Test
  void what_is_left_is_spread_until_the_reset() {
    Resync counter =
        new Resync(
            "r", 10, Optional.of(Duration.ofSeconds(20)), Optional.empty(), Optional.empty());

    assertThat(counter.interval(0)).contains(Duration.ofSeconds(2));
    assertThat(counter.interval(6)).contains(Duration.ofSeconds(5));
    assertThat(counter.interval(10)).isEmpty();
    assertThat(counter.interval(-5)).contains(Duration.ofSeconds(2));
  }
}
