package dev.paceline.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What users of other libraries saw misread; the ids are those of the faults. */
final class RetryAfterTest {

  private static final Instant NOW = Instant.parse("2026-01-15T12:00:00Z");

  private static Reading read(Instant now, String... lines) {
    return FeedbackReader.standard().read(ResponseFacts.of(429, HeaderLines.of(lines), now));
  }

  private static Reading retryAfter(String value) {
    return read(NOW, "Retry-After", value);
  }

  // HP-01
  @ParameterizedTest
  @CsvSource({"0.503, 503", "0.129, 129", "2.0, 2000", "1.5, 1500"})
  void fractions_are_kept(String value, long millis) {
    assertThat(retryAfter(value).retryAfter()).contains(Duration.ofMillis(millis));
  }

  // HP-02, HU-07
  @ParameterizedTest
  @CsvSource({
    "1m0s, 60000",
    "1h30m0s, 5400000",
    "7.66s, 7660",
    "120ms, 120",
    "6m, 360000",
    "1.5h, 5400000",
    "1us, 1",
    "1500us, 2",
    "1ns, 1"
  })
  void go_durations_are_read(String value, long millis) {
    assertThat(GoDurations.millis(value)).isEqualTo(millis);
    assertThat(retryAfter(value).retryAfter()).contains(Duration.ofMillis(millis));
  }

  // HU-07
  @ParameterizedTest
  @ValueSource(strings = {"m0s", "ms", "s", "1", "1.s", ".5s", "1s1", "-1s", "1 s", "1S", "9000h"})
  void what_is_no_duration_is_none(String value) {
    assertThat(GoDurations.millis(value)).isEqualTo(-1);
  }

  // HP-04
  @Test
  void zero_is_told_and_no_hint() {
    Reading reading = retryAfter("0");

    assertThat(reading.retryAfter()).contains(Duration.ZERO);
    assertThat(reading.effectiveWait()).contains(Duration.ZERO);
  }

  // HP-05
  @Test
  void a_date_just_past_is_zero() {
    assertThat(retryAfter("Thu, 15 Jan 2026 11:59:57 GMT").retryAfter()).contains(Duration.ZERO);
  }

  // HP-07
  @ParameterizedTest
  @ValueSource(strings = {"en-GB", "de-DE", "tr-TR", "ar-EG", "th-TH-u-ca-buddhist", "ja-JP"})
  void dates_and_names_do_not_depend_on_the_default_locale(String locale) {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag(locale));
    try {
      Instant now = Instant.parse("2026-09-16T10:00:00Z");
      Reading reading =
          read(now, "RETRY-AFTER", "Wed, 16 Sep 2026 10:00:10 GMT", "X-RATELIMIT-LIMIT", "1");

      assertThat(reading.retryAfter()).contains(Duration.ofSeconds(10));
      assertThat(reading.windows()).hasSize(1);
    } finally {
      Locale.setDefault(before);
    }
  }

  // HP-08
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2026-10-21T07:27:50Z|Wed, 21 Oct 2026 07:28:00 GMT",
        "2026-10-21T07:27:50Z|Wednesday, 21-Oct-26 07:28:00 GMT",
        "2026-10-21T07:27:50Z|Wed Oct 21 07:28:00 2026",
        "2026-11-03T07:27:50Z|Tue Nov  3 07:28:00 2026"
      })
  void all_three_forms_of_a_date_are_read(Instant now, String value) {
    assertThat(read(now, "Retry-After", value).retryAfter()).contains(Duration.ofSeconds(10));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2026-01-15T12:00:00Z|Thu, 29 Feb 2024 00:00:00 GMT|2024-02-29T00:00:00Z",
        "2099-12-31T23:59:50Z|Friday, 01-Jan-00 00:00:00 GMT|2100-01-01T00:00:00Z",
        "2026-01-15T12:00:00Z|Thursday, 31-Dec-98 23:59:59 GMT|1998-12-31T23:59:59Z",
        "2026-01-15T12:00:00Z|Sunday, 01-Jan-76 00:00:00 GMT|2076-01-01T00:00:00Z",
        "2026-01-15T12:00:00Z|Thu, 15 Jan 2026 23:59:60 GMT|2026-01-16T00:00:00Z"
      })
  void dates_are_those_of_the_calendar(Instant now, String value, Instant expected) {
    assertThat(HttpDates.parse(value, now)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Wed, 29 Feb 2023 00:00:00 GMT",
        "Thu, 31 Apr 2026 00:00:00 GMT",
        "Thu, 00 Jan 2026 00:00:00 GMT",
        "Thu, 15 Jan 2026 24:00:00 GMT",
        "Thu, 15 Jan 2026 00:00:61 GMT",
        "Thu, 15 Sept 2026 00:00:00 GMT",
        "Xxx, 15 Jan 2026 00:00:00 GMT",
        "Thu, 15 Jan 2026 12:00:30 UTC",
        "Thu Jan 5 12:00:30 2026"
      })
  void what_is_no_date_is_none(String value) {
    assertThat(HttpDates.parse(value, NOW)).isNull();
  }

  // HP-10
  @ParameterizedTest
  @ValueSource(strings = {"9999999999", "99999999999999999999", "2147483648"})
  void digits_beyond_all_sense_are_ignored_and_counted(String value) {
    Reading reading = retryAfter(value);

    assertThat(reading.retryAfter()).isEmpty();
    assertThat(reading.throttled()).isTrue();
    assertThat(reading.ignored()).isEqualTo(1);
  }

  // HP-11
  @ParameterizedTest
  @ValueSource(strings = {"NaN", "Infinity", "1e9", "0x10", "1d", "+5", "-5", "5f", ""})
  void what_only_java_takes_for_a_number_is_ignored(String value) {
    assertThat(retryAfter(value).retryAfter()).isEmpty();
  }

  // HP-11
  @Test
  void padding_is_stripped() {
    assertThat(retryAfter(" 5 ").retryAfter()).contains(Duration.ofSeconds(5));
  }

  // HP-13
  @Test
  void a_date_is_measured_from_the_date_of_the_response() {
    Reading reading =
        read(
            NOW.plusSeconds(300),
            "Date",
            "Thu, 15 Jan 2026 12:00:00 GMT",
            "Retry-After",
            "Thu, 15 Jan 2026 12:00:30 GMT");

    assertThat(reading.retryAfter()).contains(Duration.ofSeconds(30));
  }

  // HP-14
  @Test
  void milliseconds_beside_or_instead_of_seconds() {
    assertThat(read(NOW, "retry-after-ms", "1500").retryAfter()).contains(Duration.ofMillis(1500));
    assertThat(read(NOW, "retry-after-ms", "1500", "Retry-After", "2").retryAfter())
        .contains(Duration.ofMillis(1500));
    assertThat(read(NOW, "retry-after-ms", "abc", "Retry-After", "2").retryAfter())
        .contains(Duration.ofSeconds(2));
    assertThat(read(NOW, "retry-after-ms", "100", "Retry-After", "60").retryAfter())
        .contains(Duration.ofMinutes(1));
  }

  // SH-02, as one response tells it
  @Test
  void the_longer_of_two_waits_stands() {
    assertThat(read(NOW, "Retry-After", "5400", "Retry-After", "60").retryAfter())
        .contains(Duration.ofMinutes(90));
    assertThat(read(NOW, "Retry-After", "60", "Retry-After", "5400").retryAfter())
        .contains(Duration.ofMinutes(90));
  }

  @Test
  void a_response_without_a_header_of_interest_is_silent() {
    HeaderLines lines =
        HeaderLines.of(
            List.of(
                Map.entry("Date", "Thu, 15 Jan 2026 12:00:00 GMT"),
                Map.entry("Content-Type", "application/json"),
                Map.entry("X-Request-Id", "limit")));

    assertThat(FeedbackReader.standard().read(ResponseFacts.of(200, lines, NOW)))
        .isSameAs(Reading.SILENT);
  }
}
