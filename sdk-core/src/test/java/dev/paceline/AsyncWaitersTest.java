package dev.paceline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.sun.management.ThreadMXBean;
import dev.paceline.feedback.HeaderLines;
import dev.paceline.feedback.ResponseFacts;
import dev.paceline.limit.Limit;
import dev.paceline.testkit.VirtualTime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers that hold no thread while they wait, in virtual time. */
class AsyncWaitersTest {

  private static final int WAITERS = 10_000;
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
  private static final AcquireOptions PATIENT = AcquireOptions.standard().maxWait(FOREVER);

  private final VirtualTime time = VirtualTime.create();
  private final List<String> started = new ArrayList<>();
  private final List<CompletableFuture<?>> calls = new ArrayList<>();

  private Paceline paceline(Limit limit) {
    return Paceline.builder()
        .time(time)
        .executor(Runnable::run)
        .upstream("up", u -> u.limit(limit).maxQueued(WAITERS))
        .build();
  }

  @CanIgnoreReturnValue
  private CompletableFuture<Permit> enter(Paceline paceline, String name, AcquireOptions options) {
    CompletableFuture<Permit> call = paceline.limiter("up").acquireAsync(options);
    calls.add(call.thenAccept(permit -> started.add(name)));
    return call;
  }

  @Test
  void ten_thousand_cost_no_thread_and_a_kibibyte_each() throws IOException {
    // Once for what is loaded and made only once.
    assertThat(bytesEach()).isPositive();

    int threads = Thread.activeCount();
    assertThat(bytesEach()).isBetween(50L, 1_024L);
    assertThat(Thread.activeCount()).isLessThanOrEqualTo(threads);
  }

  /** All that entering allocates, which is no less than what a waiter keeps. */
  private long bytesEach() throws IOException {
    ThreadMXBean allocations = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Paceline paceline = paceline(Limit.of(1).per(Duration.ofSeconds(1)));
    paceline.acquire("up");
    List<CompletableFuture<Permit>> waiting = new ArrayList<>(WAITERS);
    long before = allocations.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < WAITERS; i++) {
      waiting.add(paceline.limiter("up").acquireAsync(PATIENT));
    }
    long each = (allocations.getCurrentThreadAllocatedBytes() - before) / WAITERS;
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
    assertThat(paceline.stats().queued()).isEqualTo(WAITERS);
    paceline.close();
    return each;
  }

  @Test // CA-04
  void abandoned_calls_cost_their_own_places_at_most() throws IOException {
    Paceline paceline = paceline(Limit.of(5).per(Duration.ofSeconds(1)).burst(1));
    paceline.acquire("up");
    for (int i = 0; i < 6; i++) {
      enter(paceline, "abandoned", PATIENT);
    }
    CompletableFuture<Permit> live = enter(paceline, "live", PATIENT);
    time.advance(Duration.ofMillis(1_400));
    assertThat(live).isCompleted();
  }

  @Test // CA-07
  void a_cancelled_future_takes_no_permit() throws IOException {
    Paceline paceline = paceline(Limit.of(1).per(Duration.ofSeconds(1)).burst(1));
    paceline.acquire("up");
    List<CompletableFuture<Permit>> five = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      five.add(enter(paceline, "call " + i, PATIENT));
    }
    time.advance(Duration.ofMillis(1_500));
    assertThat(started).containsExactly("call 0");
    long permits = paceline.stats().permits();
    five.forEach(call -> call.cancel(true));
    time.advance(Duration.ofSeconds(5));
    assertThat(started).containsExactly("call 0");
    assertThat(paceline.stats().permits()).isEqualTo(permits);
    assertThat(paceline.limiter("up").tryAcquire()).isTrue();
  }

  @Test // FA-04
  void a_retry_goes_before_those_that_came_after_its_call() throws IOException {
    Paceline paceline = paceline(Limit.of(2).per(Duration.ofSeconds(1)).burst(40));
    for (int i = 0; i < 39; i++) {
      paceline.acquire("up");
    }
    long began = time.nanoTime();
    Permit first = paceline.acquire("up");
    for (int i = 0; i < 50; i++) {
      time.advance(Duration.ofMillis(1));
      enter(paceline, "later", PATIENT);
    }
    Upstream upstream = paceline.upstreams().get(0);
    HeaderLines headers = HeaderLines.of("retry-after", "5");
    ResponseFacts told = new ResponseFacts(429, headers, Instant.now(), Optional.empty());
    upstream.learn(first.scope(), first, upstream.reader().read(told));
    enter(paceline, "retry", PATIENT.age(began).notBefore(Duration.ofSeconds(5)));
    for (int i = 0; i < 50; i++) {
      enter(paceline, "later", PATIENT);
    }
    time.advance(Duration.ofMillis(4_999));
    assertThat(started).isEmpty();
    time.advance(Duration.ofSeconds(60));
    assertThat(started).hasSize(101);
    assertThat(started.get(0)).isEqualTo("retry");
  }

  @ParameterizedTest // WB-08
  @ValueSource(booleans = {false, true})
  void the_longest_duration_is_a_wait_like_others(boolean asDefault) throws IOException {
    PacelineBuilder builder =
        Paceline.builder()
            .time(time)
            .executor(Runnable::run)
            .upstream("up", u -> u.limit(Limit.of(5).per(Duration.ofSeconds(1)).burst(1)));
    Paceline paceline = (asDefault ? builder.maxWait(FOREVER) : builder).build();
    for (int i = 0; i < 6; i++) {
      enter(paceline, "call", asDefault ? AcquireOptions.standard() : PATIENT);
    }
    assertThat(started).hasSize(1);
    time.advance(Duration.ofMillis(799));
    assertThat(started).hasSize(4);
    time.advance(Duration.ofMillis(201));
    assertThat(started).hasSize(6);
  }

  @Test // WB-08
  void no_wait_at_all_is_a_wait_that_ends_at_once() throws IOException {
    Paceline paceline = paceline(Limit.of(5).per(Duration.ofSeconds(1)).burst(1));
    for (Duration wait : List.of(Duration.ZERO, Duration.ofNanos(1))) {
      AcquireOptions options = AcquireOptions.standard().maxWait(wait);
      paceline.limiter("up").acquire(options);
      assertThat(enter(paceline, "refused", options)).isCompletedExceptionally();
      time.advance(Duration.ofMillis(200));
    }
    assertThatThrownBy(() -> AcquireOptions.standard().maxWait(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must not be negative");
  }
}
