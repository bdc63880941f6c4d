package dev.paceline.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paceline.feedback.ThrottleKind;
import dev.paceline.testkit.VirtualTime;
import java.net.SocketException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RetrySessionTest {
  private static final long SECOND = 1_000_000_000;
  private static final RequestTraits GET = RequestTraits.of("GET");

  private final VirtualTime time = VirtualTime.create();

  private UpstreamRetries upstream(RetryPolicy.Builder policy) {
    RetryPolicy built = policy.build();
    return new UpstreamRetries(
        built, RetryRules.standard(), built.newBudget(time::nanoTime), Optional.empty());
  }

  private static Verdict after(RetrySession session, Outcome outcome) {
    return session.after(outcome, 0, RetrySession.NO_DEADLINE);
  }

  private static StopReason why(Verdict verdict) {
    assertThat(verdict).isInstanceOf(Verdict.Deliver.class);
    return ((Verdict.Deliver) verdict).why();
  }

  private static long delay(Verdict verdict) {
    assertThat(verdict).isInstanceOf(Verdict.Retry.class);
    return ((Verdict.Retry) verdict).delayNanos();
  }

  @Test
  void attempts_end_where_the_policy_says() {
    RetrySession session = upstream(RetryPolicy.builder().maxAttempts(3)).begin(GET);
    assertThat(delay(after(session, Outcomes.silent(503)))).isBetween(50_000_000L, SECOND / 2);
    assertThat(delay(after(session, Outcomes.silent(503)))).isBetween(50_000_000L, SECOND);
    assertThat(why(after(session, Outcomes.silent(503)))).isEqualTo(StopReason.ATTEMPTS);
    assertThat(session.report().sentence())
        .isEqualTo(
            "no further attempt after 3 of at most 3: attempts exhausted; last outcome: HTTP 503");
  }

  @Test
  void no_retries_means_one_attempt() {
    RetryPolicy none = RetryPolicy.none();
    RetrySession session =
        new UpstreamRetries(
                none, RetryRules.standard(), none.newBudget(time::nanoTime), Optional.empty())
            .begin(GET);
    assertThat(why(after(session, Outcomes.silent(408)))).isEqualTo(StopReason.ATTEMPTS);
  }

  /** LA-02: where the repeats of a lower layer cannot be stopped, they are counted. */
  @Test
  void repeats_by_a_lower_layer_are_attempts() {
    RetrySession session = upstream(RetryPolicy.builder().maxAttempts(3)).begin(GET);
    session.repeatedBelow(1);
    assertThat(after(session, Outcomes.silent(503))).isInstanceOf(Verdict.Retry.class);
    assertThat(why(after(session, Outcomes.silent(503)))).isEqualTo(StopReason.ATTEMPTS);
    assertThat(session.report().attempts()).isEqualTo(3);
  }

  /** WB-05. */
  @Test
  void a_wait_that_fits_is_kept_and_its_jitter_shrinks_to_the_deadline() {
    for (int seed = 0; seed < 1_000; seed++) {
      Random random = new Random(seed);
      RetrySession session =
          upstream(
                  RetryPolicy.builder()
                      .fullJitter(Duration.ofSeconds(20), Duration.ofSeconds(60))
                      .random(() -> random))
              .begin(GET);
      long now = Long.MAX_VALUE - seed; // the monotonic clock may wrap
      Verdict verdict =
          session.after(Outcomes.toldToWait(429, Duration.ofSeconds(9)), now, now + 10 * SECOND);
      assertThat(delay(verdict)).as("seed %s", seed).isBetween(9 * SECOND, 10 * SECOND);
    }
  }

  /** WB-01, WB-02: never waited for in part, never shortened. */
  @Test
  void a_wait_beyond_the_deadline_ends_the_call_at_once_and_is_told() {
    RetrySession session = upstream(RetryPolicy.builder()).begin(GET);
    Duration hour = Duration.ofHours(1);
    Verdict verdict = session.after(Outcomes.toldToWait(503, hour), 0, 60 * SECOND);
    assertThat(verdict).isEqualTo(new Verdict.Deliver(StopReason.DEADLINE, Optional.of(hour)));
    assertThat(session.report().providerWait()).contains(hour);
    assertThat(session.report().sentence()).contains("deadline").contains("PT1H");
  }

  @Test
  void without_a_hint_the_least_delay_must_fit_before_the_deadline() {
    RetrySession session = upstream(RetryPolicy.builder()).begin(GET);
    assertThat(delay(session.after(Outcomes.silent(503), 0, 50_000_000))).isEqualTo(50_000_000);
    assertThat(why(session.after(Outcomes.silent(503), 0, 49_999_999)))
        .isEqualTo(StopReason.DEADLINE);
    RetrySession late = upstream(RetryPolicy.builder().minDelay(Duration.ZERO)).begin(GET);
    assertThat(why(late.after(Outcomes.silent(503), 5, 5))).isEqualTo(StopReason.DEADLINE);
  }

  /** BU-07. */
  @Test
  void a_spent_budget_is_named_apart_from_attempts() {
    UpstreamRetries upstream = upstream(RetryPolicy.builder().maxAttempts(20));
    RetrySession last = upstream.begin(GET);
    StopReason why = StopReason.SUCCESS;
    for (int i = 0; i < 200; i++) {
      last = upstream.begin(GET);
      Verdict verdict = after(last, Outcomes.silent(503));
      while (verdict instanceof Verdict.Retry) {
        verdict = after(last, Outcomes.silent(503));
      }
      why = why(verdict);
    }
    assertThat(why).isEqualTo(StopReason.BUDGET);
    assertThat(last.report().sentence())
        .contains("retry budget exhausted")
        .contains("1 of at most 20")
        .doesNotContain("attempts exhausted");
  }

  /** BU-04. */
  @Test
  void a_thousand_failing_calls_cost_ten_retries_and_the_floor() {
    UpstreamRetries failing = upstream(RetryPolicy.builder());
    UpstreamRetries healthy = upstream(RetryPolicy.builder());
    int requests = 0;
    for (int i = 0; i < 1_000; i++) {
      RetrySession session = failing.begin(GET);
      do {
        requests++;
      } while (after(session, Outcomes.silent(503)) instanceof Verdict.Retry);
      time.advance(Duration.ofMillis(20));
    }
    assertThat(requests).isBetween(1_010, 1_000 + 10 + 4);
    assertThat(healthy.budget().balance()).isEqualTo(10.0);
    assertThat(failing.budget().balance()).isZero();
    for (int i = 0; i < 10; i++) {
      after(failing.begin(GET), Outcomes.silent(200));
    }
    assertThat(failing.budget().balance()).isEqualTo(1.0);
    assertThat(after(failing.begin(GET), Outcomes.silent(503))).isInstanceOf(Verdict.Retry.class);
  }

  @Test
  void the_budget_pays_only_for_retries_that_follow() {
    UpstreamRetries upstream = upstream(RetryPolicy.builder().maxAttempts(2));
    for (int i = 0; i < 100; i++) {
      after(upstream.begin(RequestTraits.of("POST")), Outcomes.silent(500));
      after(upstream.begin(GET), Outcomes.throttled(429, ThrottleKind.QUOTA_EXHAUSTED));
      upstream.begin(GET).after(Outcomes.silent(503), 0, 1);
      upstream.begin(GET).after(Outcomes.silent(404), 0, RetrySession.NO_DEADLINE);
    }
    assertThat(upstream.budget().balance()).isEqualTo(10.0);
  }

  @Test
  void a_hook_that_throws_has_no_opinion() {
    RetrySession session =
        upstream(
                RetryPolicy.builder()
                    .hook(
                        (outcome, traits) -> {
                          throw new IllegalStateException("mine");
                        }))
            .begin(GET);
    assertThat(after(session, Outcomes.silent(503))).isInstanceOf(Verdict.Retry.class);
    assertThat(why(after(session, Outcomes.silent(404)))).isEqualTo(StopReason.NOT_RETRYABLE);
  }

  @Test
  void a_report_quotes_no_message_of_an_exception() {
    RetrySession session = upstream(RetryPolicy.builder()).begin(RequestTraits.of("POST"));
    after(session, Outcomes.lost(new SocketException("https://x/?key=secret")));
    assertThat(session.report().sentence())
        .contains("SocketException")
        .contains("not idempotent")
        .doesNotContain("secret");
  }

  @Test
  void an_open_circuit_keeps_the_last_response() throws Exception {
    UpstreamBreaker breaker =
        UpstreamBreaker.create("bank", 1, 1, Duration.ofSeconds(5), time::nanoTime);
    RetryPolicy policy = RetryPolicy.standard();
    UpstreamRetries upstream =
        new UpstreamRetries(
            policy, RetryRules.standard(), policy.newBudget(time::nanoTime), Optional.of(breaker));
    RetrySession session = upstream.begin(GET);
    session.before();
    assertThat(why(after(session, Outcomes.silent(503)))).isEqualTo(StopReason.CIRCUIT_OPEN);
    RetrySession next = upstream.begin(GET);
    assertThatThrownBy(next::before)
        .isInstanceOf(CircuitOpenException.class)
        .hasMessageContaining("'bank'")
        .hasMessageContaining("5000 ms");
    assertThat(next.report().why()).isEqualTo(StopReason.CIRCUIT_OPEN);
    assertThat(next.report().attempts()).isZero();
  }

  @Test
  void a_caller_who_waited_while_the_circuit_opened_does_not_go_on() throws Exception {
    UpstreamBreaker breaker =
        UpstreamBreaker.create("bank", 1, 1, Duration.ofSeconds(5), time::nanoTime);
    RetryPolicy policy = RetryPolicy.standard();
    UpstreamRetries upstream =
        new UpstreamRetries(
            policy, RetryRules.standard(), RetryBudget.unlimited(), Optional.of(breaker));
    RetrySession first = upstream.begin(GET);
    RetrySession second = upstream.begin(GET);
    first.before();
    second.before();
    first.beforeSending();
    after(first, Outcomes.silent(500));
    assertThatThrownBy(second::beforeSending).isInstanceOf(CircuitOpenException.class);
    assertThat(second.report().why()).isEqualTo(StopReason.CIRCUIT_OPEN);
    time.advance(Duration.ofSeconds(5));
    RetrySession probe = upstream.begin(GET);
    probe.before();
    probe.beforeSending();
    after(probe, Outcomes.silent(200));
    second.beforeSending();
  }
}
