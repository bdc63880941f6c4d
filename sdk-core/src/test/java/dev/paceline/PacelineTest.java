package dev.paceline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paceline.event.RefusalReason;
import dev.paceline.limit.Decision;
import dev.paceline.limit.Limit;
import dev.paceline.testkit.VirtualTime;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class PacelineTest {

  private final VirtualTime time = VirtualTime.autoAdvancing();

  private static Limit perSecond(long permits) {
    return Limit.of(permits).per(Duration.ofSeconds(1));
  }

  private PacelineBuilder builder() {
    return Paceline.builder().time(time).executor(Runnable::run);
  }

  @Test
  void a_blocking_caller_gets_its_permits_one_interval_apart() throws Exception {
    Paceline paceline = builder().upstream("api", u -> u.limit(perSecond(10))).build();
    Limiter limiter = paceline.limiter("api");
    List<Long> at = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      limiter.acquire();
      at.add(time.elapsed().toMillis());
    }
    assertThat(at).containsExactly(0L, 100L, 200L, 300L);
    assertThat(paceline.stats().permits()).isEqualTo(4);
  }

  @Test
  void a_wait_that_cannot_fit_fails_at_once_and_says_what_it_would_take() throws Exception {
    Paceline paceline =
        builder().upstream("api", u -> u.limit(Limit.of(1).per(Duration.ofSeconds(30)))).build();
    Limiter limiter = paceline.limiter("api");
    limiter.acquire();
    assertThatThrownBy(limiter::acquire)
        .isInstanceOf(WaitTooLongException.class)
        .hasMessageContaining("api/*/*")
        .hasMessageContaining("1/30s")
        .hasMessageContaining("30.000 s")
        .hasMessageContaining("10.000 s")
        .extracting(e -> ((PacelineException) e).retryAfter().orElseThrow())
        .isEqualTo(Duration.ofSeconds(30));
    assertThat(time.elapsed()).isZero();
    time.advance(Duration.ofSeconds(30));
    assertThat(limiter.tryAcquire()).isTrue();
  }

  @Test
  void trying_says_what_is_left_and_how_long_it_would_take() {
    Paceline paceline = builder().upstream("api", u -> u.limit(perSecond(2).burst(2))).build();
    Limiter limiter = paceline.limiter("api");
    assertThat(limiter.tryAcquire(AcquireOptions.standard()).remaining()).isEqualTo(1);
    assertThat(limiter.tryAcquire()).isTrue();
    Decision refused = limiter.tryAcquire(AcquireOptions.standard());
    assertThat(refused.allowed()).isFalse();
    assertThat(refused.retryAfter()).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void units_are_charged_each_to_its_own_limit_and_settled() throws Exception {
    Paceline paceline =
        builder()
            .upstream(
                "llm",
                u ->
                    u.limit(perSecond(100).named("calls"))
                        .limit(
                            Limit.of(60_000)
                                .per(Duration.ofMinutes(1))
                                .tokenBucket()
                                .unit("tokens")
                                .named("tokens")))
            .build();
    Limiter limiter = paceline.limiter("llm");
    Permit permit = limiter.acquire(AcquireOptions.standard().cost("tokens", 60_000));
    permit.settle("tokens", 10_000);
    limiter.acquire(AcquireOptions.standard().cost("tokens", 50_000));
    assertThat(time.elapsed()).isLessThanOrEqualTo(Duration.ofMillis(10));
  }

  @Test
  void a_cancelled_future_ends_its_wait_and_takes_no_permit() {
    Paceline paceline = builder().upstream("api", u -> u.limit(perSecond(1))).build();
    Limiter limiter = paceline.limiter("api");
    assertThat(limiter.tryAcquire()).isTrue();
    CompletableFuture<Permit> waiting = limiter.acquireAsync(AcquireOptions.standard());
    CompletableFuture<Permit> next = limiter.acquireAsync(AcquireOptions.standard());
    assertThat(waiting).isNotDone();
    waiting.cancel(true);
    time.advance(Duration.ofSeconds(1));
    assertThat(next).isCompleted();
    assertThat(paceline.stats().refused()).containsEntry(RefusalReason.CANCELLED, 1L);
  }

  @Test
  void an_interrupt_ends_the_wait_and_keeps_the_flag() {
    Paceline paceline = builder().upstream("api", u -> u.limit(perSecond(1))).build();
    Limiter limiter = paceline.limiter("api");
    assertThat(limiter.tryAcquire()).isTrue();
    Thread.currentThread().interrupt();
    assertThatThrownBy(limiter::acquire).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void owners_have_schedules_of_their_own_and_share_the_upstreams() {
    Paceline paceline =
        builder()
            .upstream(
                "api",
                u ->
                    u.limit(perSecond(1))
                        .sharedLimit(Limit.of(3).per(Duration.ofSeconds(1)).burst(3)))
            .build();
    assertThat(paceline.limiter("api", "a").tryAcquire()).isTrue();
    assertThat(paceline.limiter("api", "a").tryAcquire()).isFalse();
    assertThat(paceline.limiter("api", "b").tryAcquire()).isTrue();
    assertThat(paceline.limiter("api", "c").tryAcquire()).isTrue();
    assertThat(paceline.limiter("api", "d").tryAcquire()).isFalse();
  }

  @Test
  void bad_configuration_fails_with_one_sentence() {
    assertThatThrownBy(() -> builder().maxWait(Duration.ofMillis(-1)))
        .hasMessage("maxWait is PT-0.001S; it must not be negative");
    assertThatThrownBy(() -> builder().upstream("a", u -> u.hosts("https://x.com")).build())
        .hasMessageContaining("can never match");
    assertThatThrownBy(
            () ->
                builder()
                    .upstream(
                        "a", u -> u.limit("POST /x", perSecond(1)).limit("POST /x", perSecond(2)))
                    .build())
        .hasMessageContaining("two rules are named \"POST /x\"");
    assertThatThrownBy(
            () ->
                builder()
                    .upstream(
                        "a", u -> u.limit(perSecond(1).named("n")).limit(perSecond(2).named("n")))
                    .build())
        .hasMessageContaining("two limits named \"n\"");
    assertThatThrownBy(
            () ->
                builder()
                    .upstream("a", u -> u.hosts("x.com"))
                    .upstream("b", u -> u.hosts("x.com"))
                    .build())
        .hasMessageContaining("belongs to upstream \"a\" already");
  }

  @Test
  void closing_refuses_whoever_waits() {
    Paceline paceline = builder().upstream("api", u -> u.limit(perSecond(1))).build();
    Limiter limiter = paceline.limiter("api");
    assertThat(limiter.tryAcquire()).isTrue();
    CompletableFuture<Permit> waiting = limiter.acquireAsync(AcquireOptions.standard());
    paceline.close();
    assertThat(waiting).isCompletedExceptionally();
  }
}
