package dev.paceline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.paceline.event.RefusalReason;
import dev.paceline.feedback.Profile;
import dev.paceline.feedback.Profiles;
import dev.paceline.limit.Limit;
import dev.paceline.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class InFlightTest {

  private static final Limit THOUSAND = Limit.of(1_000).per(Duration.ofSeconds(1)).burst(1_000);

  private final VirtualTime time = VirtualTime.create();

  private Paceline paceline(Consumer<UpstreamBuilder> settings) {
    return Paceline.builder().time(time).executor(Runnable::run).upstream("up", settings).build();
  }

  private static AcquireOptions within(Duration wait) {
    return AcquireOptions.standard().maxWait(wait);
  }

  private static PacelineException refusal(CompletableFuture<Permit> call) {
    return (PacelineException)
        catchThrowableOfType(CompletionException.class, call::join).getCause();
  }

  @Test
  void no_more_calls_than_allowed_are_in_flight_and_each_end_lets_one_in() throws IOException {
    Paceline paceline = paceline(u -> u.limit(THOUSAND).inFlight(2));
    Limiter limiter = paceline.limiter("up");
    Permit first = limiter.acquire();
    Permit second = limiter.acquire();
    CompletableFuture<Permit> third = limiter.acquireAsync(AcquireOptions.standard());
    CompletableFuture<Permit> fourth = limiter.acquireAsync(AcquireOptions.standard());
    time.advance(Duration.ofSeconds(1));
    assertThat(third).isNotDone();
    assertThat(paceline.stats().inFlight()).isEqualTo(2);
    assertThat(paceline.stats().queued()).isEqualTo(2);

    first.close();
    first.close();
    assertThat(third).isCompleted();
    assertThat(fourth).isNotDone();

    second.giveBack();
    assertThat(fourth).isCompleted();
    third.join().close();
    fourth.join().close();
    assertThat(paceline.stats().inFlight()).isZero();
  }

  @Test
  void without_a_limit_closing_a_permit_does_nothing() throws IOException {
    Permit permit = paceline(u -> u.limit(THOUSAND)).limiter("up").acquire();
    assertThat(permit.isInFlight()).isFalse();
    permit.close();
  }

  @Test
  void an_upstream_without_a_rate_counts_calls_in_flight_all_the_same() throws IOException {
    Paceline paceline = paceline(u -> u.inFlight(1));
    Permit first = paceline.limiter("up").acquire();
    assertThat(paceline.limiter("up").tryAcquire()).isFalse();
    first.close();
    assertThat(paceline.limiter("up").tryAcquire()).isTrue();
  }

  @Test
  void refusal_says_which_limit_what_is_allowed_and_how_long_and_charges_nothing()
      throws IOException {
    Paceline paceline =
        paceline(u -> u.limit(Limit.of(2).per(Duration.ofHours(1)).burst(2)).inFlight(1));
    Limiter limiter = paceline.limiter("up", "acme");
    Permit first = limiter.acquire();
    CompletableFuture<Permit> second = limiter.acquireAsync(within(Duration.ofSeconds(3)));
    time.advance(Duration.ofSeconds(2));
    assertThat(second).isNotDone();
    time.advance(Duration.ofSeconds(1));

    PacelineException refusal = refusal(second);
    assertThat(refusal).isInstanceOf(TooManyInFlightException.class);
    assertThat(refusal.reason()).isEqualTo(RefusalReason.IN_FLIGHT);
    assertThat(refusal.group()).isEqualTo("up/acme/*");
    assertThat(refusal).hasMessageContaining("at most 1 at once").hasMessageContaining("3.000 s");
    assertThat(paceline.stats().refused()).containsEntry(RefusalReason.IN_FLIGHT, 1L);
    first.close();
    assertThat(limiter.acquireAsync(within(Duration.ZERO))).isCompleted();
  }

  @Test
  void a_call_that_cannot_wait_is_refused_at_once() throws IOException {
    Limiter limiter = paceline(u -> u.limit(THOUSAND).inFlight(1)).limiter("up");
    limiter.acquire();
    assertThatThrownBy(() -> limiter.acquire(within(Duration.ZERO)))
        .isInstanceOf(TooManyInFlightException.class);
  }

  @Test
  void waiting_line_is_bounded() throws IOException {
    Limiter limiter = paceline(u -> u.limit(THOUSAND).inFlight(1).maxQueued(1)).limiter("up");
    limiter.acquire();
    CompletableFuture<Permit> waits = limiter.acquireAsync(AcquireOptions.standard());
    assertThat(waits).isNotDone();
    assertThatThrownBy(limiter::acquire).isInstanceOf(QueueFullException.class);
  }

  // CA-08
  @Test
  void waiters_that_gave_up_take_no_capacity_with_them() throws IOException {
    Limiter limiter = paceline(u -> u.limit(THOUSAND).inFlight(2)).limiter("up");
    Permit first = limiter.acquire();
    Permit second = limiter.acquire();
    List<CompletableFuture<Permit>> waiters = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      waiters.add(limiter.acquireAsync(within(Duration.ofMillis(20))));
    }
    waiters.get(2).cancel(true);
    time.advance(Duration.ofMillis(20));
    assertThat(waiters).allMatch(CompletableFuture::isCompletedExceptionally);
    first.close();
    second.close();
    Permit third = limiter.acquire(within(Duration.ZERO));
    Permit fourth = limiter.acquire(within(Duration.ZERO));
    assertThat(third.isInFlight() && fourth.isInFlight()).isTrue();
    assertThatThrownBy(() -> limiter.acquire(within(Duration.ZERO)))
        .isInstanceOf(TooManyInFlightException.class);
  }

  @Test
  void priority_decides_who_is_let_in_next() throws IOException {
    Limiter limiter = paceline(u -> u.limit(THOUSAND).inFlight(1)).limiter("up");
    Permit first = limiter.acquire();
    CompletableFuture<Permit> low = limiter.acquireAsync(AcquireOptions.standard());
    CompletableFuture<Permit> high = limiter.acquireAsync(AcquireOptions.standard().priority(1));
    first.close();
    assertThat(high).isCompleted();
    assertThat(low).isNotDone();
    high.join().close();
    assertThat(low).isCompleted();
  }

  @Test
  void waiting_for_a_slot_uses_up_no_permits() throws IOException {
    Limiter limiter = paceline(u -> u.limit(THOUSAND).inFlight(1)).limiter("up");
    Permit held = limiter.acquire();
    List<CompletableFuture<Permit>> waiting = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      waiting.add(limiter.acquireAsync(within(Duration.ofHours(1))));
    }
    time.advance(Duration.ofSeconds(10));
    for (CompletableFuture<Permit> next : waiting) {
      held.close();
      held = next.getNow(held);
      assertThat(next).isCompleted();
    }
    // 501 calls of the 1,000 that may start together.
    assertThat(limiter.tryAcquire(AcquireOptions.standard()).remaining()).isEqualTo(499);
  }

  @Test
  void starts_keep_the_pace_when_many_slots_come_free_together() throws IOException {
    Limiter limiter =
        paceline(u -> u.limit(Limit.of(10).per(Duration.ofSeconds(1))).inFlight(5)).limiter("up");
    List<Permit> held = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      CompletableFuture<Permit> call = limiter.acquireAsync(AcquireOptions.standard());
      time.advance(Duration.ofMillis(100));
      held.add(call.join());
    }
    List<CompletableFuture<Permit>> waiting = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      waiting.add(limiter.acquireAsync(AcquireOptions.standard()));
    }
    time.advance(Duration.ofSeconds(3));
    held.forEach(Permit::close);
    for (int i = 0; i < 5; i++) {
      assertThat(waiting.stream().filter(CompletableFuture::isDone)).hasSize(i + 1);
      time.advance(Duration.ofMillis(100));
    }
  }

  @Test
  void a_call_that_never_ends_is_no_longer_counted_after_the_longest_call() throws IOException {
    Paceline paceline =
        paceline(u -> u.limit(THOUSAND).inFlight(1).longestCall(Duration.ofMinutes(1)));
    Limiter limiter = paceline.limiter("up");
    Permit lost = limiter.acquire();
    time.advance(Duration.ofSeconds(59));
    CompletableFuture<Permit> next = limiter.acquireAsync(within(Duration.ofSeconds(5)));
    assertThat(next).isNotDone();
    time.advance(Duration.ofSeconds(1));
    assertThat(next).isCompleted();
    lost.close();
    assertThat(paceline.stats().inFlight()).isEqualTo(1);
    assertThat(paceline.stats().inFlightExpired()).isEqualTo(1);
  }

  @Test
  void each_client_has_its_own_and_all_clients_may_have_one_together() throws IOException {
    Paceline paceline = paceline(u -> u.limit(THOUSAND).inFlight(1).sharedInFlight(2));
    Permit acme = paceline.limiter("up", "acme").acquire();
    paceline.limiter("up", "beta").acquire();
    PacelineException refusal =
        catchThrowableOfType(
            PacelineException.class,
            () -> paceline.limiter("up", "core").acquire(within(Duration.ZERO)));
    assertThat(refusal.group()).isEqualTo("up/*/shared");
    acme.close();
    paceline.limiter("up", "core").acquire(within(Duration.ZERO));
  }

  @Test
  void a_slow_route_leaves_the_slots_of_the_others_alone() {
    Paceline paceline = paceline(u -> u.limit(THOUSAND).inFlight("POST /reports", 1).inFlight(3));
    Scope report = paceline.upstreams().get(0).scope(request("POST", "/reports"));
    Scope other = paceline.upstreams().get(0).scope(request("GET", "/accounts"));
    for (int i = 0; i < 5; i++) {
      report.acquire(AcquireOptions.standard());
    }
    assertThat(other.acquire(AcquireOptions.standard()).isGranted()).isTrue();
    assertThat(other.acquire(AcquireOptions.standard()).isGranted()).isTrue();
    assertThat(other.acquire(AcquireOptions.standard()).isGranted()).isFalse();
    assertThat(paceline.stats().inFlight()).isEqualTo(4);
  }

  private static dev.paceline.rule.RequestView request(String method, String path) {
    return new dev.paceline.rule.RequestView() {
      @Override
      public String method() {
        return method;
      }

      @Override
      public String host() {
        return "up.example";
      }

      @Override
      public String path() {
        return path;
      }

      @Override
      public Optional<String> header(String name) {
        return Optional.empty();
      }
    };
  }

  @Test
  void a_profile_brings_its_number_and_the_application_has_the_last_word() throws IOException {
    Profile xero = Profiles.xero();
    int most = xero.inFlight().orElseThrow();
    Paceline asPublished = paceline(u -> u.profile(xero));
    Paceline own = paceline(u -> u.profile(xero).inFlight(Integer.MAX_VALUE));
    for (int i = 0; i < most; i++) {
      asPublished.acquire("up");
      assertThat(own.acquire("up").isInFlight()).isFalse();
    }
    assertThatThrownBy(() -> asPublished.limiter("up").acquire(within(Duration.ZERO)))
        .isInstanceOf(TooManyInFlightException.class);
  }

  @Test
  void senseless_settings_are_refused() {
    assertThatThrownBy(() -> paceline(u -> u.inFlight(0)))
        .hasMessage("inFlight is 0; it must be at least 1");
    assertThatThrownBy(() -> paceline(u -> u.longestCall(Duration.ZERO)))
        .hasMessage("longestCall is PT0S; it must be more than 0 and at most a day");
  }
}
