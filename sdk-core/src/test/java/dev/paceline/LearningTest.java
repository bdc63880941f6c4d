package dev.paceline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.feedback.HeaderLines;
import dev.paceline.feedback.ResponseFacts;
import dev.paceline.limit.Limit;
import dev.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What responses do to the schedule of the calls after them, in virtual time. */
final class LearningTest {

  private static final Duration LATENCY = Duration.ofMillis(20);

  private final VirtualTime time = VirtualTime.create();

  private Upstream upstream(Consumer<UpstreamBuilder> settings) {
    Paceline paceline =
        Paceline.builder()
            .time(time)
            .executor(Runnable::run)
            .maxWait(Duration.ofHours(2))
            .upstream("api", u -> settings.accept(u.hosts("api.test")))
            .build();
    return paceline.upstreamOf("api.test").orElseThrow();
  }

  private void answer(Upstream upstream, Permit permit, int status, String... headers) {
    Instant now = Instant.EPOCH.plusNanos(time.epochMicros() * 1_000);
    ResponseFacts facts = new ResponseFacts(status, HeaderLines.of(headers), now, Optional.empty());
    upstream.learn(permit.scope(), permit, upstream.reader().read(facts));
  }

  private Permit permit(Upstream upstream) throws Exception {
    Acquisition acquisition = upstream.scopeOf(Optional.empty()).acquire(AcquireOptions.standard());
    while (!acquisition.isDone()) {
      time.advance(Duration.ofMillis(1));
    }
    Permit permit = acquisition.permit();
    permit.sent();
    return permit;
  }

  private Duration waitForNext(Upstream upstream) throws Exception {
    Duration before = time.elapsed();
    permit(upstream);
    return time.elapsed().minus(before);
  }

  /** A provider of 20 a second, with a bucket of as many. */
  private final class Provider {
    private double bucket = 20;
    private Duration last = Duration.ZERO;
    private int accepted;
    private int refused;

    boolean takes() {
      double seconds = time.elapsed().minus(last).toNanos() / 1e9;
      last = time.elapsed();
      bucket = Math.min(20, bucket + seconds * 20);
      boolean yes = bucket >= 1;
      bucket -= yes ? 1 : 0;
      accepted += yes ? 1 : 0;
      refused += yes ? 0 : 1;
      return yes;
    }
  }

  private void callForever(Upstream upstream, Provider provider) {
    Acquisition acquisition = upstream.scopeOf(Optional.empty()).acquire(AcquireOptions.standard());
    acquisition.whenDone(() -> send(upstream, provider, acquisition));
  }

  private void send(Upstream upstream, Provider provider, Acquisition acquisition) {
    Permit permit;
    try {
      permit = acquisition.permit();
    } catch (PacelineException e) {
      throw new AssertionError(e);
    }
    permit.sent();
    int status = provider.takes() ? 200 : 429;
    time.schedule(
        () -> {
          answer(upstream, permit, status);
          callForever(upstream, provider);
        },
        LATENCY.toNanos());
  }

  @Test
  void a_rate_that_is_learned_beside_a_cooldown_does_not_stretch_it() throws Exception {
    Upstream upstream = upstream(u -> {});
    for (int i = 0; i < 9; i++) {
      answer(upstream, permit(upstream), 200);
    }

    answer(upstream, permit(upstream), 429, "Retry-After", "2");

    assertThat(waitForNext(upstream)).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4));
    assertThat(waitForNext(upstream)).isLessThan(Duration.ofSeconds(1));
  }

  @Test // FA-05
  void without_a_limit_the_rate_settles_at_what_the_provider_takes() {
    Upstream upstream = upstream(u -> {});
    Provider provider = new Provider();
    for (int i = 0; i < 40; i++) {
      callForever(upstream, provider);
    }
    time.advance(Duration.ofSeconds(10));
    provider.accepted = 0;
    provider.refused = 0;
    time.advance(Duration.ofSeconds(50));
    ScheduleState learned = upstream.scopeOf(Optional.empty()).states().get(0);
    assertThat(learned.limits())
        .singleElement()
        .satisfies(limit -> assertThat(limit.permits()).isBetween(1_000L, 1_500L));
    // The bucket may have been full when the count began.
    assertThat(provider.accepted / 50.0).isBetween(18.0, 20.4);
    assertThat((double) provider.refused / (provider.accepted + provider.refused))
        .isLessThanOrEqualTo(0.05);
  }

  @Test // HU-11
  void counters_at_zero_hold_the_next_call_until_the_reset() throws Exception {
    Upstream upstream = upstream(u -> u.limit(Limit.of(100).per(Duration.ofSeconds(1))));
    answer(
        upstream,
        permit(upstream),
        200,
        "RateLimit-Limit",
        "100, 100;w=60",
        "RateLimit-Remaining",
        "0",
        "RateLimit-Reset",
        "5");
    assertThat(waitForNext(upstream)).isBetween(Duration.ofSeconds(5), Duration.ofMillis(6_500));
  }

  @Test // HU-14
  void counters_that_leave_more_than_the_schedule_takes_change_nothing() throws Exception {
    Upstream upstream =
        upstream(u -> u.limit(Limit.of(222).per(Duration.ofSeconds(10_000)).burst(10)));
    for (int i = 0; i < 10; i++) {
      answer(
          upstream,
          permit(upstream),
          200,
          "X-RateLimit-Limit",
          "20",
          "X-RateLimit-Remaining",
          String.valueOf(19 - i),
          "X-RateLimit-Reset",
          "100");
    }
    assertThat(time.elapsed()).isLessThan(Duration.ofSeconds(5));
    permit(upstream);
    assertThat(time.elapsed()).isBetween(Duration.ofSeconds(45), Duration.ofMillis(46_500));
  }

  @Test
  void an_older_answer_changes_nothing() throws Exception {
    Upstream upstream = upstream(u -> u.limit(Limit.of(100).per(Duration.ofSeconds(1))));
    Permit older = permit(upstream);
    Permit newer = permit(upstream);
    answer(upstream, newer, 200, "RateLimit-Remaining", "500", "RateLimit-Reset", "1");
    answer(upstream, older, 200, "RateLimit-Remaining", "0", "RateLimit-Reset", "60");
    assertThat(waitForNext(upstream)).isLessThan(Duration.ofMillis(20));
  }

  @Test
  void another_bucket_of_the_provider_changes_nothing() throws Exception {
    Upstream upstream = upstream(u -> u.limit(Limit.of(100).per(Duration.ofSeconds(1))));
    answer(
        upstream,
        permit(upstream),
        200,
        "X-RateLimit-Resource",
        "core",
        "X-RateLimit-Remaining",
        "4000",
        "X-RateLimit-Reset",
        "60");
    answer(
        upstream,
        permit(upstream),
        200,
        "X-RateLimit-Resource",
        "search",
        "X-RateLimit-Remaining",
        "0",
        "X-RateLimit-Reset",
        "60");
    assertThat(waitForNext(upstream)).isLessThan(Duration.ofMillis(20));
  }

  @ParameterizedTest
  @CsvSource({"0.5, 1", "1.1, 1", "0.2, 1", "0.5, 20", "0, 1"})
  void an_hourly_quota_that_others_use_too_ends_without_a_refusal_and_nearly_used_up(
      double othersPerSecond, long atOnce) throws Exception {
    Upstream upstream =
        upstream(u -> u.limit(Limit.of(5_000).per(Duration.ofHours(1)).fixedWindow()));
    long left = 5_000;
    long usedByOthers = 0;
    long refused = 0;
    long own = 0;
    Duration hour = Duration.ofHours(1);
    while (true) {
      Permit permit = permit(upstream);
      if (time.elapsed().compareTo(hour) >= 0) {
        break;
      }
      long sofar = (long) (time.elapsed().toMillis() / 1_000.0 * othersPerSecond);
      long others = sofar / atOnce * atOnce - usedByOthers;
      usedByOthers += others;
      left -= others;
      refused += left <= 0 ? 1 : 0;
      left = Math.max(0, left - 1);
      own++;
      long reset = hour.minus(time.elapsed()).toSeconds() + 1;
      answer(
          upstream,
          permit,
          200,
          "RateLimit-Limit",
          "5000",
          "RateLimit-Remaining",
          String.valueOf(left),
          "RateLimit-Reset",
          String.valueOf(reset));
    }
    assertThat(refused).isZero();
    assertThat(own + usedByOthers).isGreaterThanOrEqualTo(4_750);
  }

  @Test // HU-13
  void a_published_rate_replaces_the_configured_one_and_stays() throws Exception {
    Upstream upstream =
        upstream(
            u -> u.limit(Limit.of(83).per(Duration.ofSeconds(10_000)).burst(15)).discoverLimits());
    answer(upstream, permit(upstream), 200);
    for (int i = 0; i < 14; i++) {
      permit(upstream);
    }
    Permit last = permit(upstream);
    answer(upstream, last, 200, "RateLimit-Policy", "\"op\";q=167;w=10000");
    answer(upstream, last, 200);
    Duration wait = waitForNext(upstream);
    assertThat(wait).isBetween(Duration.ofSeconds(59), Duration.ofMinutes(1));
  }
}
