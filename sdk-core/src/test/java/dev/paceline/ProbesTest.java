package dev.paceline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.feedback.HeaderLines;
import dev.paceline.feedback.Profile;
import dev.paceline.feedback.ResponseFacts;
import dev.paceline.limit.Limit;
import dev.paceline.store.LocalStore;
import dev.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two workers on one schedule, after a cooldown by a provider that punishes impatience. */
final class ProbesTest {

  private static final Duration LATENCY = Duration.ofMillis(200);

  private final VirtualTime time = VirtualTime.create();
  private final LocalStore store = LocalStore.create(time);
  private final List<Long> sentMillis = new ArrayList<>();
  private int status = 200;

  private Upstream worker(boolean punishes) {
    return worker(punishes, Limit.of(100).per(Duration.ofSeconds(1)));
  }

  private Upstream worker(boolean punishes, Limit limit) {
    Profile profile = Profile.builder("strict").probeAfterCooldown(punishes).build();
    return Paceline.builder()
        .time(time)
        .executor(Runnable::run)
        .store(store)
        .maxWait(Duration.ofMinutes(10))
        .upstream("api", u -> u.hosts("api.test").limit(limit).profile(profile))
        .build()
        .upstreamOf("api.test")
        .orElseThrow();
  }

  private void answer(Upstream upstream, Permit permit, int code, String... headers) {
    Instant now = Instant.EPOCH.plusNanos(time.epochMicros() * 1_000);
    ResponseFacts facts = new ResponseFacts(code, HeaderLines.of(headers), now, Optional.empty());
    upstream.learn(permit.scope(), permit, upstream.reader().read(facts));
  }

  /** A caller that sends when it may, and is answered after a while. */
  private void call(Upstream upstream) {
    Acquisition acquisition = upstream.scopeOf(Optional.empty()).acquire(AcquireOptions.standard());
    acquisition.whenDone(
        () -> {
          try {
            Permit permit = acquisition.permit();
            permit.sent();
            sentMillis.add(time.elapsed().toMillis());
            int code = status;
            time.schedule(() -> answered(upstream, permit, code), LATENCY.toNanos());
          } catch (PacelineException e) {
            throw new AssertionError(e);
          }
        });
  }

  private void answered(Upstream upstream, Permit permit, int code) {
    if (code == 200) {
      answer(upstream, permit, 200);
    } else if (code == 429) {
      answer(upstream, permit, 429, "Retry-After", "5");
    }
  }

  private void tellToWait(Upstream upstream, Upstream other, String... headers) throws Exception {
    Acquisition first = upstream.scopeOf(Optional.empty()).acquire(AcquireOptions.standard());
    first.permit().sent();
    answer(upstream, first.permit(), 429, headers);
    for (int i = 0; i < 5; i++) {
      call(upstream);
      call(other);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json", "text/html"})
  void one_goes_first_and_the_others_follow_its_answer_at_the_pace(String type) throws Exception {
    Upstream one = worker(true);
    tellToWait(one, worker(true), "Retry-After", "2", "Content-Type", type);
    time.advance(Duration.ofSeconds(4));
    assertThat(sentMillis).hasSize(10).isSorted();
    assertThat(sentMillis.get(0)).isEqualTo(2_000);
    assertThat(sentMillis.get(1)).isBetween(2_200L, 2_202L);
    assertThat(sentMillis.get(9)).isBetween(2_270L, 2_300L);
  }

  @Test
  void a_first_one_that_is_refused_lets_nobody_follow() throws Exception {
    Upstream one = worker(true);
    status = 429;
    tellToWait(one, worker(true), "Retry-After", "2");
    time.advance(Duration.ofSeconds(6));
    assertThat(sentMillis).containsExactly(2_000L);
    status = 200;
    time.advance(Duration.ofSeconds(3));
    assertThat(sentMillis).hasSize(10);
    assertThat(sentMillis.get(1)).isBetween(7_200L, 7_202L);
  }

  @Test
  void without_an_answer_the_next_goes_first_after_a_second() throws Exception {
    Upstream one = worker(true);
    status = 0;
    tellToWait(one, worker(true), "Retry-After", "2");
    time.advance(Duration.ofMillis(4_500));
    assertThat(sentMillis).containsExactly(2_000L, 3_000L, 4_000L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"2/1s", "2/1s;burst=2", "20/1m", "40/20s;algorithm=fixed-window", "60/1m;burst=9"})
  void nobody_follows_a_first_one_before_the_pace_allows_it(String limit) throws Exception {
    Limit slow = Limit.parse(limit);
    long interval = slow.period().toMillis() / slow.permits();
    tellToWait(worker(true, slow), worker(true, slow), "Retry-After", "2");
    time.advance(Duration.ofMillis(2_000 + 4 * interval));

    // A wait that nobody ends is over 50 ms after.
    assertThat(sentMillis).hasSizeBetween(3, 5);
    for (int i = 1; i < sentMillis.size(); i++) {
      assertThat(sentMillis.get(i) - sentMillis.get(i - 1)).isGreaterThanOrEqualTo(interval - 50);
    }
  }

  @Test
  void elsewhere_all_go_on_at_the_pace() throws Exception {
    Upstream one = worker(false);
    tellToWait(one, worker(false), "Retry-After", "2");
    time.advance(Duration.ofMillis(2_100));
    assertThat(sentMillis).hasSize(10);
  }
}
