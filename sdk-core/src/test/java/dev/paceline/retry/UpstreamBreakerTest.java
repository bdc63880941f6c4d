package dev.paceline.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.paceline.testkit.VirtualTime;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UpstreamBreakerTest {
  private final VirtualTime time = VirtualTime.create();
  private final UpstreamBreaker breaker =
      UpstreamBreaker.create("bank", 5, 10, Duration.ofSeconds(10), time::nanoTime);

  private void attempts(int times, boolean healthy) {
    for (int i = 0; i < times; i++) {
      breaker.record(breaker.tryAcquire(), healthy);
    }
  }

  private boolean attempt(Outcome outcome) {
    RetryPolicy policy = RetryPolicy.none();
    RetrySession session =
        new UpstreamRetries(
                policy, RetryRules.standard(), RetryBudget.unlimited(), Optional.of(breaker))
            .begin(RequestTraits.of("GET"));
    try {
      session.before();
    } catch (CircuitOpenException e) {
      return false;
    }
    Verdict verdict = session.after(outcome, 0, RetrySession.NO_DEADLINE);
    assertThat(verdict).isInstanceOf(Verdict.Deliver.class);
    return true;
  }

  @Test
  void opens_after_five_failures_of_ten_and_refuses() {
    attempts(6, true);
    attempts(4, false);
    assertThat(breaker.isOpen()).isFalse();
    attempts(1, false);
    assertThat(breaker.isOpen()).isTrue();
    assertThat(breaker.tryAcquire()).isEqualTo(UpstreamBreaker.REFUSED);
    time.advance(Duration.ofSeconds(4));
    assertThat(breaker.refusal().retryAfter()).isEqualTo(Duration.ofSeconds(6));
  }

  @Test
  void one_probe_after_the_open_time_decides() {
    attempts(10, false);
    time.advance(Duration.ofSeconds(10));
    assertThat(breaker.isOpen()).isFalse();
    long probe = breaker.tryAcquire();
    assertThat(probe).isNotEqualTo(UpstreamBreaker.REFUSED);
    assertThat(breaker.isOpen()).isTrue();
    assertThat(breaker.tryAcquire()).isEqualTo(UpstreamBreaker.REFUSED);
    breaker.record(probe, false);
    assertThat(breaker.tryAcquire()).isEqualTo(UpstreamBreaker.REFUSED);
    time.advance(Duration.ofSeconds(10));
    attempts(1, true);
    assertThat(breaker.isOpen()).isFalse();
    attempts(4, false);
    assertThat(breaker.isOpen()).isFalse();
  }

  @Test
  void a_probe_that_was_not_made_gives_way_to_another() {
    attempts(10, false);
    time.advance(Duration.ofSeconds(10));
    breaker.release(breaker.tryAcquire());
    assertThat(breaker.tryAcquire()).isNotEqualTo(UpstreamBreaker.REFUSED);
  }

  @Test
  void outcomes_of_attempts_from_before_do_not_decide_a_probe() {
    long early = breaker.tryAcquire();
    attempts(10, false);
    time.advance(Duration.ofSeconds(10));
    long probe = breaker.tryAcquire();
    breaker.record(early, true);
    breaker.release(early);
    assertThat(breaker.tryAcquire()).isEqualTo(UpstreamBreaker.REFUSED);
    breaker.record(probe, true);
    assertThat(breaker.isOpen()).isFalse();
  }

  @Test
  void only_failures_of_the_server_count() {
    for (int i = 0; i < 100; i++) {
      assertThat(attempt(Outcomes.throttled(429, Optional.empty()))).isTrue();
      assertThat(attempt(Outcomes.toldToWait(503, Duration.ofSeconds(1)))).isTrue();
      assertThat(attempt(Outcomes.silent(404))).isTrue();
      assertThat(attempt(Outcomes.lost(new InterruptedIOException("timeout")))).isTrue();
      assertThat(attempt(new Outcome.Failed(new IOException("mine"), false, false))).isTrue();
    }
    for (int i = 0; i < 4; i++) {
      assertThat(attempt(Outcomes.silent(500))).isTrue();
    }
    assertThat(attempt(Outcomes.unconnected(new ConnectException()))).isTrue();
    assertThat(attempt(Outcomes.silent(200))).isFalse();
  }

  @Test
  void settings_out_of_range_are_refused() {
    Duration second = Duration.ofSeconds(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> UpstreamBreaker.create("x", 0, 10, second, time::nanoTime))
        .withMessageContaining("failures is 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> UpstreamBreaker.create("x", 5, 4, second, time::nanoTime))
        .withMessageContaining("outOf is 4");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> UpstreamBreaker.create("x", 5, 10, Duration.ZERO, time::nanoTime))
        .withMessageContaining("openFor is PT0S");
  }

  @Test
  void an_open_time_beyond_all_bounds_saturates() {
    UpstreamBreaker forever =
        UpstreamBreaker.create("x", 1, 1, Duration.ofSeconds(Long.MAX_VALUE), time::nanoTime);
    forever.record(forever.tryAcquire(), false);
    time.advance(Duration.ofDays(10_000));
    assertThat(forever.tryAcquire()).isEqualTo(UpstreamBreaker.REFUSED);
  }
}
