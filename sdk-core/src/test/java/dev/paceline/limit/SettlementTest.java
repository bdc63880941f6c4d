package dev.paceline.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Costs that were estimated, and permits that were not used. */
class SettlementTest {
  private static final long SECOND = 1_000_000;
  private static final long[] ONE = {1};

  private static GroupSchedule schedule(Limit limit) {
    return new GroupSchedule(List.of(limit));
  }

  private static Limit tenASecond() {
    return Limit.of(10).per(Duration.ofSeconds(1));
  }

  private static long[] by(long delta) {
    return new long[] {delta};
  }

  @ParameterizedTest
  @EnumSource
  void unused_permit_that_is_given_back_at_once_leaves_no_trace(Algorithm algorithm) {
    for (long seed = 0; seed < 50; seed++) {
      RandomGenerator random = Seeded.random(seed);
      Limit limit = Seeded.limit(random, algorithm);
      GroupSchedule schedule = schedule(limit);
      long at = 1_790_000_000_000_000L;
      for (int call = 0; call < 20; call++) {
        at = schedule.earliest(at + Seeded.gap(random, limit), ONE);
        long left = schedule.remaining(at);
        schedule.take(at, ONE);
        if (random.nextBoolean()) {
          schedule.adjust(at, at, by(-1));
          assertThat(schedule.remaining(at)).as("seed %d: %s", seed, limit).isEqualTo(left);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void more_cost_than_estimated_is_never_refused_and_moves_the_next_start(Algorithm algorithm) {
    RandomGenerator random = Seeded.random(7);
    for (int round = 0; round < 50; round++) {
      Limit limit = Seeded.limit(random, algorithm);
      GroupSchedule schedule = schedule(limit);
      long at = 1_790_000_000_000_000L;
      schedule.take(at, ONE);
      long left = schedule.remaining(at);

      schedule.adjust(at, at, by(3));
      assertThat(schedule.remaining(at)).isEqualTo(Math.max(0, left - 3));
      schedule.adjust(at, at, by(limit.capacity()));
      assertThat(schedule.earliest(at, ONE)).as(limit.toString()).isGreaterThan(at);
    }
  }

  @ParameterizedTest
  @EnumSource
  void largest_adjustments_overflow_nothing(Algorithm algorithm) {
    RandomGenerator random = Seeded.random(3);
    for (int round = 0; round < 50; round++) {
      Limit limit = Seeded.limit(random, algorithm);
      GroupSchedule schedule = schedule(limit);
      long at = 1_790_000_000_000_000L;
      schedule.take(at, ONE);
      for (int i = 0; i < 3; i++) {
        schedule.adjust(at, at, by(Long.MAX_VALUE));
        assertThat(schedule.remaining(at)).isZero();
        assertThat(schedule.earliest(at, ONE)).as(limit.toString()).isGreaterThan(at);
        assertThat(schedule.earliestBehind(at, by(Long.MAX_VALUE), ONE)).isGreaterThan(at);
      }
      schedule.adjust(at, at, by(Long.MIN_VALUE));
      schedule.adjust(at, at, by(Long.MIN_VALUE));
      assertThat(schedule.earliest(at, ONE)).isGreaterThanOrEqualTo(at);
      assertThat(schedule.remaining(at)).isBetween(0L, limit.capacity());
    }
  }

  @Test
  void busy_bucket_gets_an_overestimate_back_however_late_it_is_known() {
    GroupSchedule schedule = schedule(tenASecond().tokenBucket(100));
    schedule.take(0, by(100));
    long at = 0;
    // 100 calls of 10 that are settled to 5 a second after their start, when the next one has
    // started.
    for (int call = 0; call < 100; call++) {
      long start = schedule.earliest(at, by(10));
      schedule.take(start, by(10));
      at = start + SECOND / 2;
      schedule.adjust(start, at, by(-5));
    }
    // At 10 permits a second and 5 a call.
    assertThat(at).isBetween(49 * SECOND, 51 * SECOND);
  }

  @Test
  void busy_bucket_gets_overestimates_back_though_other_calls_have_started_since() {
    GroupSchedule schedule = schedule(tenASecond().tokenBucket(100));
    schedule.take(0, by(100));
    long[] starts = new long[300];
    for (int call = 0; call < starts.length; call++) {
      long start = schedule.earliest(0, by(10));
      schedule.take(start, by(10));
      starts[call] = start;
      // Each settles to 5 of its 10 when the fourth call after it has started.
      if (call >= 4) {
        schedule.adjust(starts[call - 4], start, by(-5));
      }
    }
    // Half a second a call at the real cost, a second at the estimated one.
    assertThat(starts[299] - starts[200]).isBetween(49 * SECOND, 52 * SECOND);
  }

  @Test
  void charge_that_time_has_paid_for_is_not_given_back() {
    GroupSchedule schedule = schedule(tenASecond().tokenBucket(10));
    schedule.take(0, by(5));
    schedule.take(400_000, by(1));

    schedule.adjust(0, 400_000, by(-5));
    // The one permit that time had not yet paid for.
    assertThat(schedule.remaining(400_000)).isEqualTo(9);
  }

  @Test
  void charge_of_the_previous_window_can_be_settled_in_a_sliding_counter() {
    GroupSchedule schedule = schedule(tenASecond().slidingWindowCounter());
    schedule.take(0, by(10));
    schedule.take(1_500_000, by(1));

    assertThat(schedule.remaining(1_500_000)).isEqualTo(4);
    schedule.adjust(0, 1_500_000, by(-4));
    assertThat(schedule.remaining(1_500_000)).isEqualTo(6);
    schedule.adjust(0, 1_500_000, by(2));
    assertThat(schedule.remaining(1_500_000)).isEqualTo(5);
  }

  @Test
  void guarded_window_is_given_back_to_on_both_counts() {
    GroupSchedule schedule = schedule(tenASecond().fixedWindow());
    schedule.guard(1_000);
    schedule.take(0, by(10));
    schedule.adjust(0, 0, by(-3));

    assertThat(schedule.earliest(0, by(3))).isZero();
    assertThat(schedule.fullAt()).isEqualTo(SECOND);
    schedule.adjust(0, 0, by(3));
    assertThat(schedule.fullAt()).isEqualTo(1_010_000);
  }

  @Test
  void start_given_back_before_another_that_is_reserved_opens_no_second_one_beside_it() {
    GroupSchedule schedule = schedule(tenASecond());
    long[] starts = new long[3];
    schedule.run(0, ONE, 3, SECOND, starts);

    schedule.adjust(starts[1], 0, by(-1));
    assertThat(schedule.earliest(0, ONE)).isEqualTo(300_000);
    schedule.adjust(starts[2], 0, by(-1));
    assertThat(schedule.earliest(0, ONE)).isEqualTo(200_000);
  }

  /** Conformity of what was really used, whatever was estimated and given back at any time. */
  @ParameterizedTest
  @EnumSource(names = {"GCRA", "TOKEN_BUCKET"})
  void what_was_really_used_keeps_the_bound_whatever_is_given_back(Algorithm algorithm) {
    for (long seed = 0; seed < 400; seed++) {
      RandomGenerator random = Seeded.random(seed);
      Limit limit = Seeded.limit(random, algorithm);
      GroupSchedule schedule = schedule(limit);
      List<long[]> used = new ArrayList<>();
      List<long[]> open = new ArrayList<>();
      long at = 1_790_000_000_000_000L;
      for (int call = 0; call < 80; call++) {
        at += Seeded.gap(random, limit);
        long cost = Seeded.cost(random, limit);
        long start = schedule.earliest(at, by(cost));
        schedule.take(start, by(cost));
        long[] charge = {start, cost};
        used.add(charge);
        open.add(charge);
        at = random.nextInt(3) > 0 ? start : at;
        while (!open.isEmpty() && random.nextBoolean()) {
          long[] settled = open.remove(random.nextInt(open.size()));
          long unused = random.nextLong(0, settled[1] + 1);
          schedule.adjust(settled[0], at, by(-unused));
          settled[1] -= unused;
        }
        assertConforms(limit, used, "seed " + seed + ": " + limit);
      }
    }
  }

  /** In any stretch, at most burst + length ÷ T; a start is up to a microsecond late. */
  private static void assertConforms(Limit limit, List<long[]> used, String what) {
    long[] last = used.get(used.size() - 1);
    long sum = 0;
    for (int i = used.size() - 1; i >= 0; i--) {
      sum += used.get(i)[1];
      double length = last[0] - used.get(i)[0] + 1;
      double most = limit.burst() + length * limit.permits() / limit.periodMicros();
      assertThat((double) sum).as(what).isLessThanOrEqualTo(most + 1e-6);
    }
  }

  @Test
  void count_of_a_window_that_is_over_is_not_touched() {
    GroupSchedule schedule = schedule(tenASecond().fixedWindow());
    schedule.take(0, by(10));
    schedule.take(SECOND, by(4));

    schedule.adjust(0, SECOND, by(-10));
    assertThat(schedule.remaining(SECOND)).isEqualTo(6);
    schedule.adjust(0, SECOND, by(10));
    assertThat(schedule.remaining(SECOND)).isEqualTo(6);
  }
}
