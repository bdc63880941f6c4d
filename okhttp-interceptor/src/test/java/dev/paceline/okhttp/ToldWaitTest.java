package dev.paceline.okhttp;

import static dev.paceline.okhttp.Provider.body;
import static dev.paceline.okhttp.Provider.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.UpstreamBuilder;
import dev.paceline.feedback.Profile;
import dev.paceline.feedback.Profiles;
import dev.paceline.okhttp.Caller.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a provider's answer, in all its forms, makes of the requests after it. */
@ParameterizedClass
@EnumSource(Path.class)
final class ToldWaitTest extends OnBothPaths {

  ToldWaitTest(Path path) {
    super(path);
  }

  private Caller caller(Consumer<UpstreamBuilder> upstream) {
    return caller(paceline(upstream, p -> p.maxWait(Duration.ofHours(2))));
  }

  private Caller caller(Profile profile) {
    return caller(u -> u.profile(profile));
  }

  private Instant now() {
    return Instant.EPOCH.plusNanos(time.epochMicros() * 1_000);
  }

  private static String httpDate(Instant instant) {
    return DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
        .format(instant.atOffset(ZoneOffset.UTC));
  }

  /** What a case's text stands for: instants from now on in seconds, in the form of their name. */
  private String value(String text) {
    if (!text.startsWith("@")) {
      return text;
    }
    String[] form = text.split(" ", -1);
    Instant instant = now().plusSeconds(Long.parseLong(form[1]));
    return switch (form[0]) {
      case "@seconds" -> Long.toString(instant.getEpochSecond());
      case "@millis" -> Long.toString(instant.toEpochMilli());
      case "@micros" -> instant.toEpochMilli() + "000";
      case "@nanos" -> instant.toEpochMilli() + "000000";
      case "@http" -> httpDate(instant);
      case "@iso" -> instant.toString();
      default -> throw new IllegalArgumentException(text);
    };
  }

  private MockResponse refusal(String headers) {
    List<String> lines = new ArrayList<>();
    for (String line : headers.split("\\|", -1)) {
      int colon = line.indexOf(':');
      lines.add(line.substring(0, colon));
      lines.add(value(line.substring(colon + 1)));
    }
    return status(429, lines.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "HP-01# Retry-After:0.503# 503# 729",
        "HP-01# Retry-After:0.129# 129# 262",
        "HP-01# Retry-After:2.0# 2000# 2600",
        "HP-01# Retry-After:1.5# 1500# 1975",
        "HP-02# Retry-After:1m0s# 60000# 75100",
        "HP-05# Retry-After:@http -3# 50# 502",
        "HP-11# Retry-After:NaN# 50# 502",
        "HP-11# Retry-After:1d# 50# 502",
        "HP-13# Retry-After:@http 30# 29000# 38000",
        "HP-14# retry-after-ms:1500# 1500# 1999",
        "HP-14# retry-after-ms:1500|Retry-After:2# 1500# 2600",
        "HP-14# retry-after-ms:abc|Retry-After:2# 2000# 2600",
        "HU-01# X-RateLimit-Remaining:0|X-RateLimit-Reset:2513# 2513000# 3142000",
        "HU-01# X-RateLimit-Remaining:0|X-RateLimit-Reset:@seconds 1247# 1246000# 1560000",
        "HU-02# X-RateLimit-Remaining:0|X-RateLimit-Reset:@millis 30# 30000# 38000",
        "HU-04# X-RateLimit-Remaining:0|X-RateLimit-Reset:@micros 20# 50# 25000",
        "HU-04# X-RateLimit-Remaining:0|X-RateLimit-Reset:@nanos 20# 50# 25000",
        "HU-05# X-RateLimit-Reset:@seconds -2# 50# 2000",
        "HU-07# x-ratelimit-remaining-requests:0|x-ratelimit-reset-requests:1s"
            + "|x-ratelimit-remaining-tokens:0|x-ratelimit-reset-tokens:6m0s# 360000# 450500",
        "HU-08# anthropic-ratelimit-requests-remaining:0"
            + "|anthropic-ratelimit-requests-reset:@iso 1"
            + "|anthropic-ratelimit-tokens-remaining:16000"
            + "|anthropic-ratelimit-tokens-reset:@iso 3600# 1000# 2500",
        "HU-10# RateLimit:\"a\";r=0;t=20, \"b\";r=121;t=300# 20000# 25500",
        "HU-10# RateLimit:\"a\";r=0;t=20|RateLimit:\"b\";r=121;t=300# 20000# 25500",
        "HU-10# RateLimit:\"b\";r=121;t=300|RateLimit:\"a\";r=0;t=20# 20000# 25500",
        "HU-10# RateLimit:\"a\";r=0;t=20, \"b\";r=0;t=300# 300000# 375500",
      })
  void the_second_request_comes_when_the_first_answer_says(
      String id, String headers, long least, long most) {
    provider.answers(refusal(headers), status(200));
    assertThat(caller(u -> {}).call(provider.get("/")).status()).as(id).isEqualTo(200);
    assertThat(provider.gapsMillis())
        .as(id)
        .singleElement()
        .satisfies(gap -> assertThat(gap).isBetween(least, most));
  }

  /** Waits that are no hint: the ladder of draws goes on as without them. */
  @ParameterizedTest // HP-04, HP-05
  @ValueSource(strings = {"Retry-After:0", "Retry-After:@http -3"})
  void a_wait_of_nothing_does_not_become_a_hot_loop(String header) {
    provider.answer(request -> refusal(header));
    Caller caller =
        caller(
            u ->
                u.retry(
                    r ->
                        r.maxAttempts(5)
                            .fullJitter(Duration.ofMillis(100), Duration.ofSeconds(30))));
    assertThat(caller.call(provider.get("/")).status()).isEqualTo(429);
    assertThat(provider.count()).isEqualTo(5);
    List<Long> gaps = provider.gapsMillis();
    for (int i = 0; i < gaps.size(); i++) {
      assertThat(gaps.get(i)).as("gap %d", i).isBetween(50L, (100L << i) + 1);
    }
  }

  @ParameterizedTest // HP-10
  @CsvSource({"503, 9999999999", "503, 99999999999999999999", "408, 9999999999"})
  void digits_that_overflow_reach_the_caller_as_an_ordinary_response(int code, String digits) {
    provider.answers(status(code, "Retry-After", digits));
    assertThat(caller(u -> u.retry(r -> r.maxAttempts(1))).call(provider.get("/")).status())
        .isEqualTo(code);
  }

  private long gapTo(Caller caller, String path) {
    int before = provider.count();
    caller.call(provider.get(path));
    return before == 0 ? 0 : provider.gapsMillis().get(before - 1);
  }

  private static void once(UpstreamBuilder upstream) {
    upstream.retry(r -> r.maxAttempts(1));
  }

  @Test // BS-01
  void an_exhausted_resource_holds_its_own_calls_and_no_others() {
    Caller caller =
        caller(
            u -> {
              once(u.profile(Profiles.github()));
              u.limit(Provider.perSecond(1_000)).limit("GET /search", Provider.perSecond(1_000));
            });
    String reset = value("@seconds 60");
    provider.answer(
        request ->
            request.getUrl().encodedPath().equals("/search")
                ? status(
                    403,
                    "x-ratelimit-resource",
                    "search",
                    "x-ratelimit-remaining",
                    "0",
                    "x-ratelimit-reset",
                    reset)
                : status(200, "x-ratelimit-resource", "core", "x-ratelimit-remaining", "4000"));
    gapTo(caller, "/search");
    assertThat(gapTo(caller, "/repos")).isLessThan(100);
    assertThat(gapTo(caller, "/search")).isBetween(59_000L, 61_000L);
    assertThat(gapTo(caller, "/repos")).isLessThan(100);
  }

  @Test // BS-02
  void a_refusal_while_the_shop_has_room_holds_the_route_only() {
    Caller caller =
        caller(
            u -> {
              once(u.profile(Profiles.shopify()));
              u.limit(Provider.perSecond(1_000)).limit("GET /variants", Provider.perSecond(1_000));
            });
    String bucket = "X-Shopify-Shop-Api-Call-Limit";
    provider.answers(
        status(429, bucket, "5/40", "Retry-After", "2.0"), status(200, bucket, "5/40"));
    gapTo(caller, "/variants");
    assertThat(gapTo(caller, "/orders")).isLessThan(100);
    assertThat(gapTo(caller, "/variants")).isBetween(1_900L, 2_600L);
  }

  @Test // BS-04
  void a_refusal_that_others_caused_holds_the_route_only() {
    Caller caller =
        caller(
            u -> {
              once(u.profile(Profiles.discord()));
              u.limit(Provider.perSecond(1_000)).limit("GET /a", Provider.perSecond(1_000));
            });
    provider.answers(status(429, "X-RateLimit-Scope", "shared", "Retry-After", "3"), status(200));
    gapTo(caller, "/a");
    assertThat(gapTo(caller, "/b")).isLessThan(100);
    assertThat(gapTo(caller, "/a")).isBetween(2_900L, 3_800L);
  }

  @ParameterizedTest // BS-05
  @CsvSource({"39/80, 0, 99", "39/40, 0, 99", "40/40, 500, 2000", "81/80, 500, 2000", "40, 0, 99"})
  void the_size_of_a_bucket_is_the_one_told(String told, long least, long most) {
    Caller caller =
        caller(u -> once(u.profile(Profiles.shopify()).limit(Provider.perSecond(2).burst(40))));
    provider.answers(status(200, "X-Shopify-Shop-Api-Call-Limit", told));
    gapTo(caller, "/");
    assertThat(gapTo(caller, "/")).isBetween(least, most);
  }

  @Test // RC-01, RC-02
  void a_secondary_limit_is_waited_out_once() {
    String text = "{\"message\":\"You have exceeded a secondary rate limit. Please wait.\"}";
    provider.answers(body(403, text, "x-ratelimit-remaining", "57"), status(200));
    assertThat(caller(Profiles.github()).call(provider.get("/")).status()).isEqualTo(200);
    assertThat(provider.gapsMillis())
        .singleElement()
        .satisfies(gap -> assertThat(gap).isGreaterThanOrEqualTo(60_000));
  }

  private static String graphql(String where, int restoreRate) {
    return "{\"errors\":[{\"message\":\"%s\",\"extensions\":{\"code\":\"%s\"}}],"
            .formatted(where, where)
        + "\"extensions\":{\"cost\":{\"requestedQueryCost\":152,\"throttleStatus\":"
        + "{\"maximumAvailable\":1000,\"currentlyAvailable\":89,\"restoreRate\":"
        + restoreRate
        + "}}}}";
  }

  @ParameterizedTest // RC-07
  @CsvSource({"50, 1260, 2000", "0, 50, 60000"})
  void a_query_that_costs_too_much_is_sent_again_when_the_difference_is_there(
      int restoreRate, long least, long most) {
    provider.answers(body(200, graphql("THROTTLED", restoreRate)), body(200, "{\"data\":{}}"));
    assertThat(caller(Profiles.shopifyGraphql()).call(provider.get("/")).body())
        .isEqualTo("{\"data\":{}}");
    assertThat(provider.gapsMillis())
        .singleElement()
        .satisfies(gap -> assertThat(gap).isBetween(least, most));
  }

  @Test // RC-07
  void a_text_that_only_speaks_of_it_is_an_answer() {
    provider.answers(body(200, "{\"data\":{\"title\":\"Throttled\"}}"));
    caller(Profiles.shopifyGraphql()).call(provider.get("/"));
    assertThat(provider.count()).isEqualTo(1);
  }

  @ParameterizedTest // RC-13
  @CsvSource({"'', 60000, 61000", "5, 5000, 5100"})
  void a_page_of_the_network_in_between_holds_the_whole_host(String told, long least, long most) {
    Caller caller =
        caller(
            u -> {
              once(u.profile(Profiles.discord()));
              u.limit(Provider.perSecond(1_000)).limit("GET /a", Provider.perSecond(1_000));
            });
    MockResponse page =
        told.isEmpty()
            ? body(429, "<html>", "Content-Type", "text/html")
            : body(429, "<html>", "Content-Type", "text/html", "Retry-After", told);
    provider.answers(page, status(200));
    gapTo(caller, "/a");
    assertThat(gapTo(caller, "/b")).isBetween(least, most);
    assertThat(gapTo(caller, "/a")).isLessThan(100);
  }
}
