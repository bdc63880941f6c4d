package dev.paceline.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExplanationTest {

  private static List<String> explain(Profile profile, int status, String body, String... lines) {
    ResponseFacts facts =
        new ResponseFacts(
            status,
            HeaderLines.of(lines),
            Instant.parse("2026-01-15T12:00:00Z"),
            Optional.of(body));
    return Explanation.of(status, FeedbackReader.of(profile).read(facts));
  }

  @Test
  void says_what_is_waited_for_and_why() {
    assertThat(
            explain(
                Profiles.stripe(),
                429,
                "",
                "Retry-After",
                "90",
                "X-RateLimit-Limit",
                "100",
                "X-RateLimit-Remaining",
                "0",
                "X-RateLimit-Reset",
                "soon"))
        .containsExactly(
            "Status 429 is a refusal: too many requests, or too much load.",
            "The SDK would wait 1 min 30 s because the response asks for it.",
            "It would hold the calls that the matched rule counts.",
            "Quota 'default': 0 of 100 requests left.",
            "One field was malformed or not believed, and was ignored.");
  }

  @Test
  void says_that_a_reset_or_the_profile_decides() {
    assertThat(explain(Profiles.stripe(), 429, "", "RateLimit", "\"p\";r=0;t=20"))
        .contains(
            "The SDK would wait 20 s because a quota is spent and more of it is available then.",
            "Quota 'p': 0 requests left, more in 20 s.");
    assertThat(explain(Profiles.byName("quickbooks").orElseThrow(), 429, ""))
        .contains(
            "The SDK would wait 1 min because the response tells nothing and the profile advises"
                + " it.");
    assertThat(explain(Profiles.stripe(), 429, ""))
        .contains("The response tells no wait: the SDK would back off by itself.");
  }

  @Test
  void says_what_a_success_teaches() {
    assertThat(explain(Profiles.stripe(), 200, "")).hasSize(2);
    assertThat(explain(Profiles.stripe(), 200, "", "RateLimit", "\"p\";r=0;t=20"))
        .contains(
            "Status 200 is no refusal because of a limit.",
            "The request passed, but the SDK would hold the next one 20 s: the quota 'p' is"
                + " spent.");
  }

  @Test
  void says_that_a_retry_is_useless() {
    assertThat(explain(Profiles.openai(), 429, "{\"error\":{\"code\":\"insufficient_quota\"}}"))
        .contains(
            "Status 429 is a refusal: the quota of a day or a plan is spent.",
            "It would not send the request again: the provider says that it cannot pass.");
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 s",
    "PT0.12S, 0.12 s",
    "PT59.999S, 59.999 s",
    "PT1M, 1 min",
    "PT1H30M0.5S, 1 h 30 min 0.5 s",
    "P366D, 366 d"
  })
  void durations_are_plain(Duration duration, String text) {
    assertThat(Explanation.plain(duration)).isEqualTo(text);
  }
}
