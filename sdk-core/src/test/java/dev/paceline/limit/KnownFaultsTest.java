package dev.paceline.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that users of such libraries met, in arithmetic. */
class KnownFaultsTest {
  private static final long SECOND = 1_000_000;

  private static Limit limit(long permits, long seconds) {
    return Limit.of(permits).per(Duration.ofSeconds(seconds));
  }

  private static GroupSchedule schedule(Limit... limits) {
    return new GroupSchedule(List.of(limits));
  }

  private static Decision take(GroupSchedule schedule, long at, long cost) {
    return Decision.take(schedule, at, new long[] {cost});
  }

  /** GM-01. */
  @Test
  void seventh_of_six_a_minute_waits_exactly_the_ten_seconds_that_it_is_told() {
    GroupSchedule schedule = schedule(limit(6, 60).burst(6));
    for (int i = 0; i < 6; i++) {
      assertThat(take(schedule, 0, 1).allowed()).isTrue();
    }

    assertThat(take(schedule, 0, 1).retryAfter()).isEqualTo(Duration.ofSeconds(10));
    assertThat(take(schedule, 5 * SECOND, 1).allowed()).isFalse();
    assertThat(take(schedule, 9_900_000, 1).allowed()).isFalse();
    assertThat(take(schedule, 10 * SECOND, 1).allowed()).isTrue();
  }

  /** GM-02. */
  @Test
  void large_burst_with_a_short_interval_is_limited_and_counts_down_by_one() {
    for (Limit limit : List.of(limit(1_000, 60).burst(1_000), limit(6_000, 1).burst(6_000))) {
      GroupSchedule schedule = schedule(limit);
      assertThat(take(schedule, 0, 1).remaining()).isEqualTo(limit.burst() - 1);
      assertThat(take(schedule, 0, 1).remaining()).isEqualTo(limit.burst() - 2);
      assertThat(schedule.fullAt()).isPositive();

      long granted = 2;
      for (long call = 2; call < 2 * limit.burst(); call++) {
        granted += take(schedule, 0, 1).allowed() ? 1 : 0;
      }
      assertThat(granted).isEqualTo(limit.burst());
    }
  }

  /** GM-03. */
  @Test
  void eight_thousand_a_second_are_paced_at_eight_thousand_a_second() {
    GroupSchedule schedule = schedule(limit(8_000, 1));
    long[] starts = new long[512];
    long granted = 0;
    long at = 0;
    while (at <= 10 * SECOND) {
      granted += schedule.run(at, new long[] {1}, 512, 20_000, starts);
      at = starts[0] + 20_000;
    }
    assertThat(schedule.earliest(0, new long[] {1})).isEqualTo(granted * 125);
  }

  /** GM-04, GM-16. */
  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE})
  void negative_cost_is_refused_and_charges_nothing(long cost) {
    GroupSchedule schedule = schedule(limit(1, 1));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedule.earliest(0, new long[] {cost}))
        .withMessageContaining("cost=" + cost);
    assertThatIllegalArgumentException().isThrownBy(() -> schedule.take(0, new long[] {cost}));
    assertThat(schedule.remaining(0)).isEqualTo(1);
  }

  /** GM-16. */
  @Test
  void largest_cost_can_never_start_and_overflows_nothing() {
    GroupSchedule schedule = schedule(limit(10, 1).burst(5));

    Decision decision = take(schedule, 0, Long.MAX_VALUE);
    assertThat(decision.never()).isTrue();
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.remaining()).isEqualTo(5);
    assertThat(take(schedule, 0, 5).allowed()).isTrue();
  }

  /** GM-05. */
  @Test
  void cost_of_the_whole_capacity_waits_a_period_and_not_for_ever() {
    GroupSchedule schedule = schedule(limit(5, 60).burst(5));
    take(schedule, 0, 5);

    assertThat(take(schedule, 0, 5).retryAfter()).isEqualTo(Duration.ofSeconds(60));
    assertThat(take(schedule, 60 * SECOND, 5).allowed()).isTrue();
  }

  /** GM-07. */
  @Test
  void two_a_minute_reset_in_seconds_and_never_below_zero() {
    GroupSchedule schedule = schedule(limit(2, 60).burst(2));
    List<Decision> decisions = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      decisions.add(take(schedule, 0, 1));
    }

    assertThat(decisions).extracting(Decision::remaining).containsExactly(1L, 0L, 0L);
    assertThat(decisions)
        .extracting(decision -> decision.resetAfter().toSeconds())
        .containsExactly(30L, 60L, 60L);
    assertThat(decisions.get(2).retryAfter()).isEqualTo(Duration.ofSeconds(30));
    assertThat(take(schedule, 1_000 * SECOND, 1).resetAfter()).isEqualTo(Duration.ofSeconds(30));
  }

  /** GM-08. */
  @Test
  void wait_of_an_allowed_call_is_exactly_zero() {
    assertThat(take(schedule(limit(1, 1)), 0, 1).retryAfter()).isEqualTo(Duration.ZERO);
  }

  /** GM-10. */
  @Test
  void idle_time_is_not_saved_up_beyond_the_burst() {
    GroupSchedule schedule = schedule(limit(10, 1));
    take(schedule, 0, 1);
    long[] starts = new long[50];
    schedule.run(10 * SECOND, new long[] {1}, 50, Long.MAX_VALUE, starts);

    for (int i = 0; i < 50; i++) {
      assertThat(starts[i]).isEqualTo(10 * SECOND + i * 100_000L);
    }
  }

  /** GM-11. */
  @Test
  void paced_client_is_not_refused_by_fixed_windows_of_any_phase_behind_a_jittery_way() {
    for (long seed = 0; seed < 100; seed++) {
      RandomGenerator random = Seeded.random(seed);
      GroupSchedule client = schedule(limit(45, 1));
      long phase = random.nextLong(SECOND);
      long[] arrivals = new long[500];
      for (int call = 0; call < arrivals.length; call++) {
        long[] one = {1};
        long start = client.earliest(0, one);
        client.take(start, one);
        arrivals[call] = start + random.nextLong(100_001);
      }
      int[] windows = new int[20];
      for (long arrival : arrivals) {
        windows[(int) ((arrival + phase) / SECOND)]++;
      }
      assertThat(Arrays.stream(windows).max().orElseThrow())
          .as("seed %d", seed)
          .isLessThanOrEqualTo(50);
    }
  }

  /** GM-13. */
  @Test
  void calls_slower_than_the_pace_are_never_refused() {
    GroupSchedule schedule = schedule(limit(10, 1));
    for (int call = 0; call < 100; call++) {
      assertThat(take(schedule, call * 120_000L, 1).allowed()).isTrue();
    }
  }

  /** GM-14. */
  @Test
  void told_wait_is_what_remains_and_not_what_has_passed() {
    GroupSchedule schedule = schedule(limit(1, 1));
    take(schedule, 0, 1);

    assertThat(take(schedule, 19_000, 1).retryAfter()).isEqualTo(Duration.ofMillis(981));
    assertThat(take(schedule, 800_000, 1).retryAfter()).isEqualTo(Duration.ofMillis(200));
  }

  /** CK-02. */
  @Test
  void wall_clock_that_steps_back_an_hour_holds_nobody_for_longer_than_a_second() {
    for (Limit limit :
        List.of(
            limit(1, 1),
            limit(1, 1).fixedWindow(),
            limit(1, 1).slidingWindowLog(),
            limit(1, 1).slidingWindowCounter())) {
      GroupSchedule schedule = schedule(limit);
      schedule.align(1_790_000_000L * SECOND);
      take(schedule, 0, 1);
      schedule.align(1_789_996_400L * SECOND);

      Decision decision = take(schedule, 0, 1);
      assertThat(decision.allowed()).isFalse();
      assertThat(decision.retryAfter())
          .as(limit.toString())
          .isLessThanOrEqualTo(
              limit.algorithm() == Algorithm.SLIDING_WINDOW_COUNTER
                  ? Duration.ofSeconds(2)
                  : Duration.ofSeconds(1));
    }
  }

  /** CK-04. */
  @Test
  void readings_of_a_coarse_clock_that_do_not_move_are_accepted() {
    GroupSchedule schedule = schedule(limit(100, 1), limit(90, 1).slidingWindowLog());
    long granted = 0;
    for (long step = 0; step < 100; step++) {
      for (int reading = 0; reading < 3; reading++) {
        Decision decision = Decision.take(schedule, step * 16_000, new long[] {1, 1});
        granted += decision.allowed() ? 1 : 0;
        assertThat(decision.retryAfter()).isLessThanOrEqualTo(Duration.ofMillis(16));
      }
    }
    assertThat(granted).isEqualTo(100);
  }
}
