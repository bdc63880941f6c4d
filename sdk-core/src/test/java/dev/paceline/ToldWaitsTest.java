package dev.paceline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paceline.feedback.HeaderLines;
import dev.paceline.feedback.ResponseFacts;
import dev.paceline.limit.Limit;
import dev.paceline.rule.RequestView;
import dev.paceline.store.LocalStore;
import dev.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whom a wait holds that a provider asks for, and what those are told who cannot wait. */
final class ToldWaitsTest {

  private final VirtualTime time = VirtualTime.create();
  private final Paceline paceline =
      Paceline.builder()
          .time(time)
          .executor(Runnable::run)
          .maxWait(Duration.ofMinutes(10))
          .maxQueued(100_000)
          .upstream(
              "api",
              u ->
                  u.hosts("api.test")
                      .limit(Limit.of(100).per(Duration.ofSeconds(1)))
                      .limit("GET /search", Limit.of(10).per(Duration.ofSeconds(1)).tokenBucket()))
          .build();
  private final Upstream upstream = paceline.upstreamOf("api.test").orElseThrow();

  private record Get(String path) implements RequestView {
    @Override
    public String host() {
      return "api.test";
    }

    @Override
    public String method() {
      return "GET";
    }

    @Override
    public Optional<String> header(String name) {
      return Optional.empty();
    }
  }

  private Scope scope(String path, String owner) {
    return upstream.scope(new Get(path), Optional.of(owner), Optional.empty());
  }

  private Permit permit(Scope scope) throws PacelineException {
    Acquisition acquisition = scope.acquire(AcquireOptions.standard());
    while (!acquisition.isDone()) {
      time.advance(Duration.ofMillis(1));
    }
    Permit permit = acquisition.permit();
    permit.sent();
    return permit;
  }

  private void answer(Permit permit, int status, String... headers) {
    answer(upstream, permit, status, headers);
  }

  private void answer(Upstream by, Permit permit, int status, String... headers) {
    Instant now = Instant.EPOCH.plusNanos(time.epochMicros() * 1_000);
    ResponseFacts facts = new ResponseFacts(status, HeaderLines.of(headers), now, Optional.empty());
    by.learn(permit.scope(), permit, by.reader().read(facts));
  }

  private Duration waitOf(Scope scope) throws PacelineException {
    Duration before = time.elapsed();
    permit(scope);
    return time.elapsed().minus(before);
  }

  @Test // RC-13
  void a_refusal_of_the_host_holds_every_owner_and_every_route() throws Exception {
    Acquisition queued =
        scope("/search", "c").acquire(AcquireOptions.standard().notBefore(Duration.ofMillis(1)));
    answer(permit(scope("/a", "a")), 429, "Content-Type", "text/html", "Retry-After", "5");
    time.advance(Duration.ofMillis(4_990));
    assertThat(queued.isDone()).isFalse();
    assertThat(upstream.scope(new Get("/b"), Optional.of("b"), Optional.empty()).tryNow())
        .isFalse();
    assertThat(waitOf(scope("/search", "d")))
        .isBetween(Duration.ofMillis(8), Duration.ofMillis(12));
    assertThat(queued.isDone()).isTrue();

    // And no burst was saved meanwhile.
    assertThat(waitOf(scope("/search", "d"))).isGreaterThan(Duration.ofMillis(90));
  }

  @Test // RC-13
  void a_refusal_of_the_host_that_tells_no_wait_holds_it_for_a_minute() throws Exception {
    answer(permit(scope("/a", "a")), 429, "Content-Type", "text/html");

    assertThat(waitOf(scope("/search", "b")))
        .isBetween(Duration.ofSeconds(60), Duration.ofSeconds(61));
    assertThat(waitOf(scope("/other", "c"))).isLessThan(Duration.ofMillis(20));
  }

  @Test
  void a_hold_of_the_host_ends_for_all_when_it_is_cleared() throws Exception {
    Permit permit = permit(scope("/a", "a"));
    answer(permit, 429, "Content-Type", "text/html");
    Acquisition queued = scope("/search", "b").acquire(AcquireOptions.standard());
    time.advance(Duration.ofSeconds(2));
    upstream.clearCooldowns(permit.scope());
    time.advance(Duration.ofMillis(2));

    assertThat(queued.isGranted()).isTrue();
    assertThat(waitOf(scope("/other", "c"))).isLessThan(Duration.ofMillis(20));
  }

  @Test
  void every_call_that_cannot_wait_for_a_spent_quota_is_told_so() throws Exception {
    answer(
        permit(scope("/a", "a")),
        429,
        "X-RateLimit-Limit-Day",
        "1000",
        "X-RateLimit-Remaining-Day",
        "0",
        "Retry-After",
        "7200");
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> permit(scope("/a", "a")))
          .isInstanceOf(QuotaExhaustedException.class)
          .hasMessageContaining("quota is spent");
    }
    time.advance(Duration.ofHours(2));
    permit(scope("/a", "a"));
    answer(permit(scope("/a", "a")), 429, "Retry-After", "7200");
    assertThatThrownBy(() -> permit(scope("/a", "a"))).isInstanceOf(WaitTooLongException.class);
  }

  @Test
  void a_spent_quota_that_one_worker_was_told_of_is_known_to_the_others() throws Exception {
    LocalStore shared = LocalStore.create(time);
    List<Upstream> workers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      workers.add(
          Paceline.builder()
              .time(time)
              .executor(Runnable::run)
              .store(shared)
              .upstream(
                  "api", u -> u.hosts("api.test").limit(Limit.of(100).per(Duration.ofSeconds(1))))
              .build()
              .upstreams()
              .get(0));
    }
    Scope told = workers.get(0).scopeOf(Optional.empty());
    Scope other = workers.get(1).scopeOf(Optional.empty());
    answer(
        workers.get(0), permit(told), 429, "X-RateLimit-Remaining-Day", "0", "Retry-After", "7200");

    assertThatThrownBy(() -> permit(other)).isInstanceOf(QuotaExhaustedException.class);
    assertThat(other.states().get(0).now().cooldown()).isEqualTo(Duration.ofHours(2));
    workers.get(1).clearCooldowns(other);
    permit(told);
  }

  @Test
  void a_hundred_thousand_clients_told_to_wait_a_second_come_back_at_the_pace() throws Exception {
    Paceline wide =
        Paceline.builder()
            .time(time)
            .executor(Runnable::run)
            .maxWait(Duration.ofMinutes(10))
            .maxQueued(100_000)
            .upstream(
                "wide",
                u ->
                    u.hosts("wide.test")
                        .limit(Limit.of(10_000).per(Duration.ofSeconds(1)).tokenBucket())
                        .learnGuard(false))
            .build();
    Upstream to = wide.upstreamOf("wide.test").orElseThrow();
    Scope all = to.scopeOf(Optional.empty());
    Acquisition first = all.acquire(AcquireOptions.standard());
    first.permit().sent();
    List<Duration> arrivals = new ArrayList<>(100_000);
    for (int i = 0; i < 100_000; i++) {
      Instant now = Instant.EPOCH.plusNanos(time.epochMicros() * 1_000);
      ResponseFacts told =
          new ResponseFacts(429, HeaderLines.of("Retry-After", "1"), now, Optional.empty());
      to.learn(all, first.permit(), to.reader().read(told));
      Acquisition again = all.acquire(AcquireOptions.standard().notBefore(Duration.ofSeconds(1)));
      again.whenDone(() -> arrivals.add(time.elapsed()));
    }
    time.advance(Duration.ofSeconds(12));

    assertThat(arrivals).hasSize(100_000);
    assertThat(arrivals.get(0)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    int from = 0;
    int peak = 0;
    for (int to10 = 0; to10 < arrivals.size(); to10++) {
      while (arrivals.get(to10).minus(arrivals.get(from)).compareTo(Duration.ofMillis(10)) >= 0) {
        from++;
      }
      peak = Math.max(peak, to10 - from + 1);
    }
    // Without pacing all of them come within 10 ms; of 10,000 a second, 100 do.
    assertThat(peak).isLessThanOrEqualTo(110);
  }
}
