package dev.paceline.okhttp;

import static dev.paceline.okhttp.Provider.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.Paceline;
import dev.paceline.PacelineBuilder;
import dev.paceline.PacelineException;
import dev.paceline.QuotaExhaustedException;
import dev.paceline.UpstreamBuilder;
import dev.paceline.WaitTooLongException;
import dev.paceline.feedback.Profiles;
import dev.paceline.limit.Limit;
import dev.paceline.okhttp.Caller.Path;
import dev.paceline.okhttp.Caller.Result;
import dev.paceline.retry.RetryReport;
import dev.paceline.retry.RetryStoppedException;
import dev.paceline.retry.StopReason;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import mockwebserver3.MockResponse;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which outcomes are repeated, when, and what the caller gets. */
@ParameterizedClass
@EnumSource(Path.class)
final class RetryTest extends OnBothPaths {

  private static final RequestBody BODY = RequestBody.create("x", null);

  RetryTest(Path path) {
    super(path);
  }

  private Caller caller(Consumer<UpstreamBuilder> upstream, Consumer<PacelineBuilder> settings) {
    return caller(patient(upstream, settings));
  }

  private Paceline patient(Consumer<UpstreamBuilder> upstream, Consumer<PacelineBuilder> more) {
    return paceline(upstream, p -> more.accept(p.maxWait(Duration.ofMinutes(10))));
  }

  private Caller caller() {
    return caller(u -> {}, p -> {});
  }

  private Request post() {
    return provider.get("/").newBuilder().post(BODY).build();
  }

  private static RetryReport report(Result result) {
    return result.response().request().tag(RetryReport.class);
  }

  // RC-10
  @Test
  void a_throttle_is_repeated_after_the_wait_that_the_provider_asks_for() {
    provider.answers(status(429, "Retry-After", "3"), status(200));
    assertThat(caller().call(provider.get("/")).status()).isEqualTo(200);
    assertThat(provider.gapsMillis())
        .hasSize(1)
        .allSatisfy(gap -> assertThat(gap).isBetween(3_000L, 4_000L));
  }

  // RC-10
  @ParameterizedTest
  @ValueSource(ints = {429, 503})
  void a_throttle_without_a_wait_is_repeated_after_a_draw(int code) {
    provider.answers(status(code), status(200));
    assertThat(caller().call(provider.get("/")).status()).isEqualTo(200);
    assertThat(provider.gapsMillis())
        .hasSize(1)
        .allSatisfy(gap -> assertThat(gap).isBetween(50L, 501L));
  }

  // RC-10
  @Test
  void a_413_is_repeated_only_when_it_says_when() {
    provider.answers(status(413), status(200));
    assertThat(caller().call(post()).status()).isEqualTo(413);
    provider.answers(status(413, "Retry-After", "1"), status(200));
    assertThat(caller().call(post()).status()).isEqualTo(200);
    assertThat(provider.count()).isEqualTo(3);
  }

  @Test
  void a_retry_that_no_limit_counts_waits_all_the_same() {
    provider.answers(status(429, "Retry-After", "3"), status(200));
    Limit tokens = Provider.perSecond(10).tokenBucket().unit("tokens").named("tokens");
    assertThat(caller(u -> u.limit(tokens), p -> {}).call(provider.get("/")).status())
        .isEqualTo(200);
    assertThat(provider.gapsMillis()).allMatch(gap -> gap >= 3_000).hasSize(1);
  }

  // RC-14
  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 501})
  void what_will_be_answered_the_same_way_is_sent_once(int code) {
    provider.answers(status(code));
    assertThat(caller().call(provider.get("/")).status()).isEqualTo(code);
    assertThat(provider.count()).isEqualTo(1);
    assertThat(time.elapsed()).isZero();
  }

  // BL-02
  @Test
  void the_last_response_reaches_the_caller_untouched() {
    provider.answers(Provider.body(503, "upstream sad"));
    Result result = caller(u -> u.retry(r -> r.maxAttempts(3)), p -> {}).call(provider.get("/"));
    assertThat(result.status()).isEqualTo(503);
    assertThat(result.body()).isEqualTo("upstream sad");
    assertThat(provider.count()).isEqualTo(3);
    assertThat(report(result).why()).isEqualTo(StopReason.ATTEMPTS);
    assertThat(report(result).attempts()).isEqualTo(3);
  }

  // BL-01
  @Test
  void responses_in_between_are_closed_and_the_connection_is_used_again() {
    provider.answers(Provider.body(503, "a"), Provider.body(503, "b"), Provider.body(200, "c"));
    Caller caller = caller();
    assertThat(caller.call(provider.get("/")).body()).isEqualTo("c");
    assertThat(caller.client.connectionPool().connectionCount()).isEqualTo(1);
    assertThat(caller.client.connectionPool().idleConnectionCount()).isEqualTo(1);
  }

  // BL-04
  @Test
  void a_body_that_was_looked_at_still_reaches_the_caller_whole() {
    String text = "{\"retry_after\": 1.5, \"global\": false, \"pad\": \"" + "x".repeat(250) + "\"}";
    provider.answers(Provider.body(429, text, "Content-Type", "application/json"));
    Result result =
        caller(u -> u.profile(Profiles.discord()).retry(r -> r.maxAttempts(2)), p -> {})
            .call(provider.get("/"));
    assertThat(result.status()).isEqualTo(429);
    assertThat(result.body()).isEqualTo(text);
    assertThat(provider.gapsMillis())
        .hasSize(1)
        .allSatisfy(gap -> assertThat(gap).isBetween(1_500L, 2_001L));
  }

  // WB-01
  @Test
  void a_wait_beyond_patience_is_a_typed_failure_at_once() {
    provider.answers(Provider.body(503, "closed for today", "Retry-After", "3600"));
    Caller caller = caller(u -> {}, p -> p.maxWait(Duration.ofMinutes(1)));
    Result result = caller.call(provider.get("/"));
    assertThat(result.error()).isInstanceOf(WaitTooLongException.class);
    assertThat(((PacelineException) result.error()).retryAfter()).contains(Duration.ofHours(1));
    assertThat(result.error()).cause().isInstanceOf(RefusedResponse.class);
    assertThat(((RefusedResponse) result.error().getCause()).body()).isEqualTo("closed for today");
    assertThat(time.elapsed()).isZero();
    assertThat(provider.count()).isEqualTo(1);
    assertThat(caller.client.connectionPool().idleConnectionCount()).isEqualTo(1);
  }

  // WB-02
  @Test
  void a_wait_is_never_cut_short() {
    provider.answers(status(429, "Retry-After", "171"), status(200));
    Result result = caller(u -> {}, p -> p.maxWait(Duration.ofMinutes(2))).call(provider.get("/"));
    assertThat(result.error()).isInstanceOf(WaitTooLongException.class);
    assertThat(provider.count()).isEqualTo(1);
    Result next = caller(u -> {}, p -> p.maxWait(Duration.ofMinutes(5))).call(provider.get("/"));
    assertThat(next.status()).isEqualTo(200);
  }

  // WB-07
  @Test
  void a_wait_beyond_the_call_timeout_fails_at_once() {
    provider.answers(status(429, "Retry-After", "2"), status(200));
    Caller caller =
        caller(
            patient(u -> {}, p -> {}),
            new OkHttpClient.Builder().callTimeout(Duration.ofMillis(500)));
    long before = System.nanoTime();
    Result result = caller.call(provider.get("/"));
    assertThat(System.nanoTime() - before).isLessThan(450_000_000L);
    assertThat(result.error()).isInstanceOf(WaitTooLongException.class);
    assertThat(provider.count()).isEqualTo(1);
  }

  // RC-05
  @Test
  void a_spent_quota_is_a_typed_failure_and_not_repeated() {
    String text = "{\"error\":{\"errors\":[{\"reason\":\"dailyLimitExceeded\"}],\"code\":403}}";
    provider.answers(Provider.body(403, text, "Content-Type", "application/json"));
    Result result = caller(u -> u.profile(Profiles.google()), p -> {}).call(provider.get("/"));
    assertThat(result.error()).isInstanceOf(QuotaExhaustedException.class);
    assertThat(((RefusedResponse) result.error().getCause()).code()).isEqualTo(403);
    assertThat(provider.count()).isEqualTo(1);
  }

  // RC-04
  @Test
  void a_403_that_means_too_fast_is_repeated_and_one_that_does_not_is_not() {
    String fast = "{\"error\":{\"errors\":[{\"reason\":\"rateLimitExceeded\"}],\"code\":403}}";
    String forbidden = "{\"error\":{\"errors\":[{\"reason\":\"forbidden\"}],\"code\":403}}";
    String type = "application/json";
    provider.answers(Provider.body(403, fast, "Content-Type", type), status(200));
    Caller caller = caller(u -> u.profile(Profiles.google()), p -> {});
    assertThat(caller.call(provider.get("/")).status()).isEqualTo(200);
    provider.answers(Provider.body(403, forbidden, "Content-Type", type), status(200));
    assertThat(caller.call(provider.get("/")).status()).isEqualTo(403);
    assertThat(provider.count()).isEqualTo(3);
  }

  // BU-07
  @Test
  void a_failure_says_that_the_budget_stopped_it() throws Exception {
    Paceline paceline =
        patient(u -> {}, p -> p.retry(r -> r.maxAttempts(20).budget(0.1).floorPerSecond(0)));
    Caller caller = caller(paceline);
    provider.answers(Provider.body(503, "sad"));
    Result last = null;
    for (int i = 0; i < 3; i++) {
      last = caller.call(provider.get("/"));
    }
    assertThat(last.body()).isEqualTo("sad");
    assertThat(report(last).why()).isEqualTo(StopReason.BUDGET);
    assertThat(report(last).sentence()).contains("retry budget");
    assertThat(provider.count()).isEqualTo(13);
    assertThat(paceline.stats().retries()).isEqualTo(10);
    assertThat(paceline.stats().attempts()).isEqualTo(13);
    assertThat(paceline.stats().notRetried()).containsEntry(StopReason.BUDGET, 3L);
    provider.close();
    Result failed = caller.call(provider.get("/"));
    assertThat(failed.error())
        .isInstanceOf(RetryStoppedException.class)
        .hasMessageContaining("retry budget")
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void a_cooldown_holds_the_next_calls() {
    provider.answers(status(429, "Retry-After", "5"), status(200));
    Paceline paceline = patient(u -> {}, p -> p.retry(r -> r.maxAttempts(1)));
    Caller caller = caller(paceline);
    assertThat(caller.call(provider.get("/")).status()).isEqualTo(429);
    assertThat(caller.call(provider.get("/other")).status()).isEqualTo(200);
    assertThat(provider.gapsMillis())
        .hasSize(1)
        .allSatisfy(gap -> assertThat(gap).isGreaterThanOrEqualTo(5_000L));
    assertThat(paceline.stats().cooldowns()).isEqualTo(1);
    assertThat(paceline.stats().throttled()).isEqualTo(1);
  }

  // RP-04
  @Test
  void signatures_are_made_after_the_waits() {
    provider.answers(status(429, "Retry-After", "500"), status(200));
    Caller caller =
        caller(
            patient(u -> u.limit(Provider.perSecond(1)), p -> {}),
            new OkHttpClient.Builder()
                .addInterceptor(
                    chain ->
                        chain.proceed(
                            chain
                                .request()
                                .newBuilder()
                                .header("X-Date", Long.toString(time.elapsed().toMillis()))
                                .build())));
    assertThat(caller.call(provider.get("/")).status()).isEqualTo(200);
    long signed = Long.parseLong(provider.requests.get(1).getHeaders().get("X-Date"));
    assertThat(signed - provider.gapsMillis().get(0)).isBetween(-1L, 1L);
  }

  @Test
  void attempts_carry_their_number_only_if_asked() {
    provider.answers(status(503), status(200));
    Caller caller = caller();
    CallOptions options = CallOptions.standard().attemptHeader("X-Attempt");
    assertThat(caller.call(options.on(provider.get("/").newBuilder()).build()).status())
        .isEqualTo(200);
    assertThat(provider.requests)
        .extracting(r -> r.getHeaders().get("X-Attempt"))
        .containsExactly("1", "2");
    caller.call(provider.get("/"));
    assertThat(provider.requests.get(2).getHeaders().names())
        .noneMatch(name -> name.toLowerCase(java.util.Locale.ROOT).contains("attempt"));
  }

  @Test
  void an_open_circuit_refuses_without_a_permit() {
    MockResponse failing = status(500);
    provider.answers(failing);
    Paceline paceline =
        patient(
            u -> u.circuitBreaker(3, 3, Duration.ofSeconds(30)),
            p -> p.retry(r -> r.maxAttempts(1)));
    Caller caller = caller(paceline);
    for (int i = 0; i < 3; i++) {
      assertThat(caller.call(provider.get("/")).status()).isEqualTo(500);
    }
    Result refused = caller.call(provider.get("/"));
    assertThat(refused.error()).isInstanceOf(dev.paceline.CircuitRefusedException.class);
    assertThat(provider.count()).isEqualTo(3);
    assertThat(paceline.stats().permits()).isEqualTo(3);
    provider.answers(status(200));
    time.advance(Duration.ofSeconds(30));
    assertThat(caller.call(provider.get("/")).status()).isEqualTo(200);
  }
}
