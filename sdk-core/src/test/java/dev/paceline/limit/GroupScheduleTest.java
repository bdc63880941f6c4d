package dev.paceline.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class GroupScheduleTest {
  private static final long SECOND = 1_000_000;
  private static final long[] ONE = {1};
  private static final long[] BOTH = {1, 1};

  private static Limit perSecond(long permits) {
    return Limit.of(permits).per(Duration.ofSeconds(1));
  }

  private static Limit perMinute(long permits) {
    return Limit.of(permits).per(Duration.ofMinutes(1));
  }

  private static GroupSchedule group(Limit... limits) {
    return new GroupSchedule(List.of(limits));
  }

  private static long[] run(GroupSchedule group, long at, long[] costs, int most, long quantum) {
    long[] starts = new long[most];
    return Arrays.copyOf(starts, group.run(at, costs, most, quantum, starts));
  }

  @Test
  void call_starts_where_all_limits_conform_and_is_charged_to_all_there() {
    GroupSchedule group = group(perSecond(1), perMinute(2).fixedWindow());

    assertThat(run(group, 0, BOTH, 4, Long.MAX_VALUE))
        .containsExactly(0, SECOND, 60 * SECOND, 61 * SECOND);
    assertThat(group.remaining(1, 60 * SECOND)).isZero();
  }

  @Test
  void refusal_by_one_limit_charges_none() {
    GroupSchedule group = group(perMinute(2).fixedWindow(), perSecond(1));
    Decision.take(group, 0, BOTH);

    Decision refused = Decision.take(group, 0, BOTH);
    assertThat(refused.limit()).isEqualTo("1/1s");
    assertThat(group.remaining(0, 0)).isEqualTo(1);
  }

  @Test
  void each_limit_is_charged_its_own_cost() {
    GroupSchedule group =
        group(perMinute(10).tokenBucket(), perMinute(1_000).tokenBucket().unit("tokens"));
    group.take(0, new long[] {1, 600});

    assertThat(group.remaining(0, 0)).isEqualTo(9);
    assertThat(group.remaining(1, 0)).isEqualTo(400);
    assertThat(group.earliest(0, new long[] {1, 400})).isZero();
    assertThat(group.earliest(0, new long[] {1, 401})).isEqualTo(60_000);
    assertThat(group.earliest(0, new long[] {1, 1_001})).isEqualTo(GroupSchedule.NEVER);
    assertThat(group.earliest(0, new long[] {1, 0})).isZero();
  }

  @Test
  void binding_limit_is_the_one_that_holds_the_call_longest() {
    GroupSchedule group = group(perSecond(10), perMinute(1).fixedWindow(), perSecond(5));
    long[] costs = {1, 1, 1};
    group.take(0, costs);

    assertThat(group.bindingLimit(0, costs)).isEqualTo(1);
    assertThat(group.bindingLimit(0, new long[] {1, 0, 1})).isEqualTo(2);
    assertThat(group.bindingLimit(0, new long[] {2, 1, 1})).isZero();
  }

  @Test
  void call_that_can_never_start_cannot_behind_others_either() {
    assertThat(group(perSecond(1)).earliestBehind(0, ONE, new long[] {2}))
        .isEqualTo(GroupSchedule.NEVER);
  }

  @Test
  void burst_that_is_not_used_up_by_those_ahead_is_still_there() {
    GroupSchedule group = group(perSecond(10).tokenBucket(5));

    assertThat(group.earliestBehind(0, new long[] {4}, ONE)).isZero();
    assertThat(group.earliestBehind(0, new long[] {5}, ONE)).isEqualTo(100_000);
    group.take(0, new long[] {3});
    assertThat(group.earliestBehind(0, ONE, ONE)).isZero();
    assertThat(group.earliestBehind(0, new long[] {2}, ONE)).isEqualTo(100_000);
    assertThat(group.earliestBehind(SECOND, new long[] {7}, ONE)).isEqualTo(1_300_000);
  }

  @Test
  void run_ends_a_quantum_after_its_first_start_however_far_that_is() {
    GroupSchedule group = group(perSecond(200).burst(2));
    group.take(0, new long[] {2});
    group.adjust(0, 0, new long[] {200});

    assertThat(run(group, 0, ONE, 100, 20_000))
        .containsExactly(1_005_000, 1_010_000, 1_015_000, 1_020_000, 1_025_000);
  }

  @Test
  void run_ends_at_its_most_permits_and_is_empty_where_a_call_can_never_start() {
    GroupSchedule group = group(perSecond(1_000));

    assertThat(run(group, 0, ONE, 3, 20_000)).containsExactly(0, 1_000, 2_000);
    assertThat(run(group, 0, new long[] {2}, 3, 20_000)).isEmpty();
    assertThat(group.earliest(0, ONE)).isEqualTo(3_000);
  }

  @Test
  void group_conforms_exactly_when_each_of_its_limits_does() {
    for (long seed = 0; seed < 200; seed++) {
      RandomGenerator random = Seeded.random(seed);
      Algorithm[] algorithms = Algorithm.values();
      Limit a = Seeded.limit(random, algorithms[random.nextInt(algorithms.length)]);
      Limit b = Seeded.limit(random, algorithms[random.nextInt(algorithms.length)]);
      GroupSchedule group = group(a, b);
      ReferenceLimit first = new ReferenceLimit(a);
      ReferenceLimit second = new ReferenceLimit(b);
      long at = 1_790_000_000_000_000L;
      for (int call = 0; call < 40; call++) {
        at += Seeded.gap(random, a);
        long start = group.earliest(at, BOTH);
        assertThat(first.conforms(start, 1) && second.conforms(start, 1)).isTrue();
        if (start > at) {
          assertThat(first.conforms(start - 1, 1) && second.conforms(start - 1, 1))
              .as("seed %d: %s and %s", seed, a, b)
              .isFalse();
        }
        group.take(start, BOTH);
        first.take(start, 1);
        second.take(start, 1);
      }
    }
  }

  @Test
  void late_send_moves_the_schedule_by_its_lateness() {
    GroupSchedule group = group(perSecond(10));
    group.take(0, ONE);
    group.delay(15_000);

    assertThat(group.earliest(0, ONE)).isEqualTo(115_000);
  }

  @Test
  void schedule_resumes_after_a_cooldown_at_its_pace_without_a_saved_burst() {
    for (Limit limit : List.of(perSecond(10).tokenBucket(), perSecond(10).fixedWindow())) {
      GroupSchedule group = group(limit);
      group.notBefore(5 * SECOND);

      assertThat(run(group, 0, ONE, 4, SECOND))
          .as(limit.toString())
          .containsExactly(5_000_000, 5_100_000, 5_200_000, 5_300_000);
    }
  }

  @Test
  void thirds_of_a_second_resume_exactly_whatever_the_burst() {
    for (long burst = 1; burst <= 7; burst++) {
      GroupSchedule unused = group(perSecond(3).burst(burst));
      unused.notBefore(SECOND);
      GroupSchedule used = group(perSecond(3).burst(burst));
      used.take(0, ONE);
      used.notBefore(SECOND);

      for (GroupSchedule group : List.of(unused, used)) {
        assertThat(run(group, 0, ONE, 5, 9 * SECOND))
            .as("burst %d", burst)
            .containsExactly(1_000_000, 1_333_334, 1_666_667, 2_000_000, 2_333_334);
      }
    }
  }

  @Test
  void shortest_window_paces_a_group_of_windows_after_a_cooldown() {
    GroupSchedule group = group(perMinute(60).fixedWindow(), perSecond(5).slidingWindowLog());
    group.notBefore(SECOND);

    assertThat(run(group, 0, BOTH, 3, SECOND)).containsExactly(1_000_000, 1_200_000, 1_400_000);
  }

  @Test
  void schedule_that_is_further_ahead_than_a_cooldown_stays_there() {
    GroupSchedule group = group(perSecond(10));
    run(group, 0, ONE, 20, 10 * SECOND);
    group.notBefore(SECOND);

    assertThat(group.earliest(0, ONE)).isEqualTo(2 * SECOND);
  }

  @Test
  void day_of_fixed_window_is_not_paced_beyond_a_minute_after_a_cooldown() {
    GroupSchedule group = group(Limit.of(1_000).per(Duration.ofDays(1)).fixedWindow());
    group.notBefore(SECOND);

    assertThat(run(group, 0, ONE, 3, 100 * SECOND))
        .containsExactly(SECOND, 61 * SECOND, 61 * SECOND);
  }

  @Test
  void overlay_slows_until_its_end_and_gives_way_only_to_a_slower_one() {
    GroupSchedule group = group(perSecond(100).tokenBucket());
    group.slow(0, 2 * SECOND, SECOND, 2);
    group.slow(0, 2 * SECOND, SECOND, 4);
    assertThat(run(group, 0, ONE, 6, 10 * SECOND))
        .containsExactly(0, 500_000, 1_000_000, 1_500_000, 2_000_000, 2_000_000);

    group.slow(10 * SECOND, 20 * SECOND, SECOND, 4);
    assertThat(run(group, 10 * SECOND, ONE, 2, SECOND)).containsExactly(10_000_000, 10_250_000);
    assertThat(group.remaining(10 * SECOND)).isZero();
    assertThat(group.earliest(20 * SECOND, ONE)).isEqualTo(20 * SECOND);
  }

  @Test
  void what_was_sent_elsewhere_leaves_no_more_debt_than_a_burst() {
    GroupSchedule group = group(perSecond(200).burst(5));
    for (int worker = 0; worker < 4; worker++) {
      group.charge(2 * SECOND, 10 * SECOND, new long[] {400});
    }
    assertThat(group.remaining(10 * SECOND)).isEqualTo(5);
    assertThat(group.earliest(10 * SECOND - 1, ONE)).isEqualTo(10 * SECOND - 1);

    // Somebody began at the end before the others' part was charged.
    GroupSchedule begun = group(perSecond(200).burst(5));
    begun.take(10 * SECOND, ONE);
    for (int worker = 0; worker < 4; worker++) {
      begun.charge(2 * SECOND, 10 * SECOND, new long[] {400});
    }
    assertThat(begun.earliest(10 * SECOND, ONE)).isEqualTo(10_005_000);
  }

  @Test
  void a_slower_overlay_gives_no_start_for_free() {
    GroupSchedule group = group(perSecond(100).tokenBucket());
    List<Long> starts = new ArrayList<>();
    for (int left = 20; left > 10; left--) {
      long now = (20 - left) * 1_000L;
      group.slow(now, 20 * SECOND, 20 * SECOND - now, left);
      long start = group.earliest(now, ONE);
      group.take(start, ONE);
      starts.add(start);
    }
    assertThat(starts.get(0)).isZero();
    for (int i = 1; i < starts.size(); i++) {
      assertThat(starts.get(i) - starts.get(i - 1)).isGreaterThanOrEqualTo(SECOND - 1_000);
    }
  }

  @Test
  void a_cooldown_that_is_taken_back_moves_what_was_reserved_behind_it() {
    GroupSchedule group = group(perSecond(10).burst(3));
    group.take(0, ONE);
    group.notBefore(60 * SECOND);
    group.take(60 * SECOND, ONE);
    group.resumeAt(60 * SECOND, 2 * SECOND);

    assertThat(run(group, 2 * SECOND, ONE, 3, SECOND))
        .containsExactly(2_100_000, 2_200_000, 2_300_000);
  }

  @Test
  void a_cooldown_that_is_taken_back_takes_the_pace_of_windows_along() {
    GroupSchedule group = group(perMinute(60).fixedWindow());
    group.notBefore(600 * SECOND);
    group.resumeAt(600 * SECOND, 10 * SECOND);

    assertThat(run(group, 10 * SECOND, ONE, 3, 10 * SECOND))
        .containsExactly(10 * SECOND, 11 * SECOND, 12 * SECOND);
    assertThat(group.fullAt()).isEqualTo(70 * SECOND);
  }

  @Test
  void overlay_holds_from_its_first_start_to_its_end_and_moves_with_late_sends() {
    GroupSchedule group = group(perSecond(100).tokenBucket());
    group.slow(SECOND, 3 * SECOND, SECOND, 1);

    assertThat(group.remaining(SECOND - 1)).isZero();
    assertThat(group.remaining(SECOND)).isEqualTo(100);
    assertThat(group.fullAt()).isEqualTo(3 * SECOND);
    group.take(SECOND, ONE);
    group.delay(50_000);
    assertThat(group.earliest(SECOND, ONE)).isEqualTo(2_050_000);
    group.take(2_050_000, ONE);
    assertThat(group.earliest(2_050_000, ONE)).isEqualTo(3 * SECOND);
    assertThat(group.remaining(3 * SECOND)).isEqualTo(100);
  }

  @Test
  void values_out_of_range_of_an_overlay_are_refused() {
    GroupSchedule group = group(perSecond(1));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> group.slow(0, SECOND, 0, 1))
        .withMessageStartingWith("intervalNumeratorMicros=0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> group.slow(0, SECOND, 1, 0))
        .withMessageStartingWith("permits=0");
  }

  @Test
  void overlays_of_nearly_the_same_pace_are_told_apart() {
    GroupSchedule group = group(perSecond(100).tokenBucket());
    group.slow(0, 100 * SECOND, SECOND, 7);
    group.slow(0, 100 * SECOND, 142_858, 1);
    assertThat(run(group, 0, ONE, 3, SECOND)).containsExactly(0, 142_858, 285_716);
    group.slow(0, 100 * SECOND, SECOND, 7);
    assertThat(group.earliest(0, ONE)).isEqualTo(428_574);
  }

  @Test
  void overlay_of_one_limit_is_charged_with_its_costs() {
    GroupSchedule group =
        group(perMinute(100).tokenBucket(), perMinute(1_000).tokenBucket().unit("tokens"));
    group.slow(1, 0, 60 * SECOND, 60 * SECOND, 60);
    group.take(0, new long[] {1, 10});

    assertThat(group.earliest(0, new long[] {1, 1})).isEqualTo(10 * SECOND);
    assertThat(group.earliest(0, new long[] {1, 0})).isZero();
  }

  @Test
  void guard_lengthens_every_interval_and_ends() {
    GroupSchedule group = group(perSecond(10));
    group.guard(7_000);
    assertThat(group.guard()).isEqualTo(7_000);
    assertThat(run(group, 0, ONE, 3, SECOND)).containsExactly(0, 107_000, 214_000);

    group.guard(0);
    assertThat(group.earliest(321_000, ONE)).isEqualTo(321_000);
    group.take(321_000, ONE);
    assertThat(group.earliest(0, ONE)).isEqualTo(421_000);
  }

  @Test
  void guarded_window_admits_less_over_time() {
    GroupSchedule group = group(perSecond(10).fixedWindow());
    group.guard(100_000);

    long[] starts = run(group, 0, ONE, 40, 100 * SECOND);
    // Ten at once, and then one every 200 ms.
    assertThat(starts[9]).isZero();
    assertThat(starts[39]).isEqualTo(6 * SECOND);
  }

  @Test
  void group_is_full_when_its_slowest_limit_is() {
    GroupSchedule group = group(perSecond(10), perMinute(5).slidingWindowCounter());
    assertThat(group.fullAt()).isEqualTo(Long.MIN_VALUE);

    group.take(30 * SECOND, BOTH);
    assertThat(group.fullAt()).isEqualTo(120 * SECOND);
    assertThat(group.remaining(1, 120 * SECOND)).isEqualTo(5);
    assertThat(group.remaining(1, 120 * SECOND - 1)).isEqualTo(4);
  }

  @Test
  void wrong_number_of_costs_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> group(perSecond(1)).earliest(0, BOTH))
        .withMessage("2 costs for 1 limits: there must be one for each");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> group(perSecond(1)).bindingLimit(0, BOTH));
    assertThatIllegalArgumentException().isThrownBy(() -> group(perSecond(1)).adjust(0, 0, BOTH));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> group(perSecond(1)).earliestBehind(0, BOTH, ONE));
    assertThatIllegalArgumentException().isThrownBy(() -> new GroupSchedule(List.of()));
  }
}
