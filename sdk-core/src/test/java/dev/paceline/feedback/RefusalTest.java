package dev.paceline.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which responses refuse, why, whom it holds, and for how long; ids are those of users' faults. */
final class RefusalTest {

  private static final Instant NOW = Instant.parse("2026-01-15T12:00:00Z");

  private static Reading read(Profile profile, int status, String body, String... lines) {
    return FeedbackReader.of(profile)
        .read(new ResponseFacts(status, HeaderLines.of(lines), NOW, Optional.of(body)));
  }

  private static Reading standard(int status, String... lines) {
    return FeedbackReader.standard().read(ResponseFacts.of(status, HeaderLines.of(lines), NOW));
  }

  // BS-01
  @Test
  void a_bucket_is_told_by_its_name() {
    Reading reading =
        read(
            Profiles.github(),
            403,
            "{}",
            "x-ratelimit-resource",
            "search",
            "x-ratelimit-remaining",
            "0",
            "x-ratelimit-reset",
            "1768478460");

    assertThat(reading.throttled()).isTrue();
    assertThat(reading.bucket()).contains("search");
    assertThat(reading.scope()).isEqualTo(WaitScope.RULE);
    assertThat(reading.effectiveWait()).contains(Duration.ofMinutes(1));
    assertThat(Resync.of(reading)).extracting(Resync::name).containsExactly("search");
  }

  // BS-02
  @Test
  void a_refusal_while_the_bucket_has_room_holds_the_route() {
    Reading reading =
        read(
            Profiles.shopify(),
            429,
            "",
            "X-Shopify-Shop-Api-Call-Limit",
            "5/40",
            "Retry-After",
            "2.0");

    assertThat(reading.scope()).isEqualTo(WaitScope.ROUTE);
    assertThat(reading.effectiveWait()).contains(Duration.ofSeconds(2));
  }

  // BS-04
  @Test
  void a_refusal_caused_by_others_says_so() {
    Reading reading =
        read(Profiles.discord(), 429, "", "X-RateLimit-Scope", "shared", "Retry-After", "3");

    assertThat(reading.scope()).isEqualTo(WaitScope.SHARED);
    assertThat(reading.effectiveWait()).contains(Duration.ofSeconds(3));
  }

  // BS-05
  @ParameterizedTest
  @CsvSource({"39/80, 41", "39/40, 1", "40/40, 0", "81/80, 0"})
  void the_size_of_the_bucket_is_the_one_told(String value, long left) {
    assertThat(standard(200, "X-Shopify-Shop-Api-Call-Limit", value).windows())
        .singleElement()
        .satisfies(window -> assertThat(window.remaining()).hasValue(left));
  }

  // BS-05
  @Test
  void a_bucket_without_a_size_is_ignored() {
    Reading reading = standard(200, "X-Shopify-Shop-Api-Call-Limit", "40");

    assertThat(reading.windows()).isEmpty();
    assertThat(reading.ignored()).isEqualTo(1);
  }

  // RC-01, RC-02
  @Test
  void a_secondary_limit_is_a_refusal_with_quota_left() {
    Reading reading =
        read(
            Profiles.github(),
            403,
            "{\"message\":\"You have exceeded a secondary rate limit. Please wait.\"}",
            "x-ratelimit-remaining",
            "57");

    assertThat(reading.throttled()).isTrue();
    assertThat(reading.kind()).isEqualTo(ThrottleKind.SHORT);
    assertThat(reading.effectiveWait()).contains(Duration.ofMinutes(1));
  }

  // RC-04
  @ParameterizedTest
  @CsvSource({"rateLimitExceeded, true", "userRateLimitExceeded, true", "forbidden, false"})
  void the_reason_tells_a_refusal_from_a_missing_permission(String reason, boolean throttled) {
    Reading reading = read(Profiles.google(), 403, googleError(reason));

    assertThat(reading.throttled()).isEqualTo(throttled);
  }

  // RC-05
  @Test
  void a_spent_day_is_no_short_refusal() {
    Reading reading = read(Profiles.google(), 403, googleError("dailyLimitExceeded"));

    assertThat(reading.throttled()).isTrue();
    assertThat(reading.kind()).isEqualTo(ThrottleKind.QUOTA_EXHAUSTED);
  }

  private static String googleError(String reason) {
    return "{\"error\":{\"errors\":[{\"reason\":\"" + reason + "\"}],\"code\":403}}";
  }

  // RC-07
  @Test
  void a_query_that_costs_too_much_waits_until_the_difference_is_restored() {
    Reading reading = read(Profiles.shopifyGraphql(), 200, shopify("THROTTLED", 50));

    assertThat(reading.throttled()).isTrue();
    assertThat(reading.effectiveWait()).contains(Duration.ofMillis(1260));
  }

  // RC-07
  @Test
  void a_bucket_that_restores_nothing_gives_the_default_wait() {
    Reading reading = read(Profiles.shopifyGraphql(), 200, shopify("THROTTLED", 0));

    assertThat(reading.throttled()).isTrue();
    assertThat(reading.effectiveWait()).isEqualTo(Profiles.shopifyGraphql().cooldown());
  }

  // RC-07
  @Test
  void a_users_text_is_no_error_code() {
    String body = "{\"data\":{\"title\":\"THROTTLED\",\"errors\":[{\"code\":\"THROTTLED\"}]}}";

    assertThat(read(Profiles.shopifyGraphql(), 200, body).throttled()).isFalse();
  }

  private static String shopify(String code, int restoreRate) {
    return "{\"errors\":[{\"message\":\"Throttled\",\"extensions\":{\"code\":\""
        + code
        + "\"}}],\"extensions\":{\"cost\":{\"requestedQueryCost\":152,\"throttleStatus\":"
        + "{\"maximumAvailable\":1000,\"currentlyAvailable\":89,\"restoreRate\":"
        + restoreRate
        + "}}}}";
  }

  // RC-08
  @Test
  void a_key_in_use_is_told_and_is_no_refusal() {
    Reading reading =
        read(Profiles.stripe(), 409, "{\"error\":{\"code\":\"idempotency_key_in_use\"}}");

    assertThat(reading.keyInUse()).isTrue();
    assertThat(reading.throttled()).isFalse();
    assertThat(read(Profiles.stripe(), 409, "{\"error\":{}}").keyInUse()).isFalse();
  }

  // RC-10
  @Test
  void a_503_is_a_refusal_only_with_a_wait() {
    assertThat(standard(503).throttled()).isFalse();
    assertThat(standard(503, "Retry-After", "1").throttled()).isTrue();
    assertThat(standard(413, "Retry-After", "1").retryAfter()).contains(Duration.ofSeconds(1));
  }

  // RC-11
  @ParameterizedTest
  @ValueSource(
      strings = {
        "limit 30000 requested 45411",
        "Request too large for m on tokens per min (TPM): Limit 30000, Requested 45411."
      })
  void a_request_larger_than_its_limit_is_not_sent_again(String message) {
    assertThat(read(Profiles.openai(), 429, openai(message)).retryForbidden()).isTrue();
  }

  @Test
  void a_request_within_its_limit_may_be_sent_again() {
    String message = "Rate limit reached for m: Limit 30000, Used 29000, Requested 1200.";

    assertThat(read(Profiles.openai(), 429, openai(message)).retryForbidden()).isFalse();
  }

  private static String openai(String message) {
    return "{\"error\":{\"code\":\"rate_limit_exceeded\",\"message\":\"" + message + "\"}}";
  }

  @Test
  void a_spent_plan_is_not_retried() {
    Reading reading = read(Profiles.openai(), 429, "{\"error\":{\"code\":\"insufficient_quota\"}}");

    assertThat(reading.kind()).isEqualTo(ThrottleKind.QUOTA_EXHAUSTED);
    assertThat(reading.retryForbidden()).isTrue();
    assertThat(standard(429, "x-should-retry", "false").retryForbidden()).isTrue();
  }

  // RC-13
  @Test
  void a_refusal_in_html_without_counters_holds_the_host() {
    Reading bare = standard(429, "Content-Type", "text/html; charset=utf-8");
    Reading told = standard(429, "Content-Type", "text/html", "Retry-After", "5");

    assertThat(bare.scope()).isEqualTo(WaitScope.UPSTREAM);
    assertThat(bare.effectiveWait()).contains(Duration.ofMinutes(1));
    assertThat(told.scope()).isEqualTo(WaitScope.UPSTREAM);
    assertThat(told.effectiveWait()).contains(Duration.ofSeconds(5));
    assertThat(read(Profiles.discord(), 429, "<html>", "Content-Type", "text/html").scope())
        .isEqualTo(WaitScope.UPSTREAM);
  }

  // RC-14
  @ParameterizedTest
  @ValueSource(ints = {401, 403})
  void a_missing_right_is_no_refusal(int status) {
    assertThat(standard(status)).isEqualTo(Reading.SILENT);
  }

  @ParameterizedTest
  @CsvSource({
    "stripe-rate-limited-reason, global-concurrency, CONCURRENCY, RULE",
    "stripe-rate-limited-reason, endpoint-concurrency, CONCURRENCY, ROUTE",
    "stripe-rate-limited-reason, endpoint-rate, SHORT, ROUTE",
    "stripe-rate-limited-reason, global-rate, SHORT, RULE",
    "x-rate-limit-problem, concurrent, CONCURRENCY, RULE",
    "x-rate-limit-problem, day, QUOTA_EXHAUSTED, RULE",
    "x-rate-limit-problem, minute, SHORT, RULE",
    "x-ratelimit-global, true, SHORT, UPSTREAM",
    "sforce-limit-info, api-usage=5001/5000, QUOTA_EXHAUSTED, RULE"
  })
  void headers_tell_why_and_whom(String name, String value, ThrottleKind kind, WaitScope scope) {
    Reading reading = standard(429, name, value);

    assertThat(reading.kind()).isEqualTo(kind);
    assertThat(reading.scope()).isEqualTo(scope);
  }

  @Test
  void a_limit_of_zero_in_a_refusal_means_too_many_at_once() {
    Reading reading =
        standard(
            429,
            "X-Rate-Limit-Limit",
            "0",
            "X-Rate-Limit-Remaining",
            "0",
            "X-Rate-Limit-Reset",
            "1768478445");

    assertThat(reading.kind()).isEqualTo(ThrottleKind.CONCURRENCY);
    assertThat(DiscoveredLimit.of(reading)).isEmpty();
  }

  @Test
  void a_day_quota_that_comes_back_soon_is_a_short_refusal() {
    assertThat(standard(429, "RateLimit", "\"daily\";r=0;t=600").kind())
        .isEqualTo(ThrottleKind.QUOTA_EXHAUSTED);
    assertThat(standard(429, "RateLimit", "\"daily\";r=0;t=30").kind())
        .isEqualTo(ThrottleKind.SHORT);
    assertThat(standard(429, "RateLimit", "\"daily\";r=0;t=600", "Retry-After", "5").kind())
        .isEqualTo(ThrottleKind.SHORT);
  }

  // BL-04
  @Test
  void a_wait_in_the_body_is_read_where_the_profile_asks() {
    String body = "{\"message\":\"slow\",\"retry_after\":1.5,\"global\":true}";
    Reading reading = read(Profiles.discord(), 429, body, "Retry-After", "2");

    assertThat(reading.retryAfter()).contains(Duration.ofMillis(1500));
    assertThat(reading.scope()).isEqualTo(WaitScope.UPSTREAM);
    assertThat(read(Profiles.xero(), 429, body).retryAfter()).isEmpty();
    assertThat(Profiles.discord().readsBody(429)).isTrue();
    assertThat(Profiles.discord().readsBody(200)).isFalse();
  }

  // BL-04
  @Test
  void no_more_of_a_body_is_read_than_the_bound() {
    String filler = " ".repeat(Profile.MAX_BODY_BYTES);

    assertThat(read(Profiles.discord(), 429, filler + "{\"retry_after\":1.5}").retryAfter())
        .isEmpty();
    assertThat(read(Profiles.discord(), 429, "{\"retry_after\":1.5,\"x\":\"" + filler).retryAfter())
        .contains(Duration.ofMillis(1500));
  }
}
