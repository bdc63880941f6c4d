package dev.paceline.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A changed limit keeps its debt in permits. */
class ReconfigurationTest {
  private static final long SECOND = 1_000_000;
  private static final long[] ONE = {1};

  private static Limit limit(long permits, long seconds) {
    return Limit.of(permits).per(Duration.ofSeconds(seconds));
  }

  private static GroupSchedule drained(Limit limit) {
    GroupSchedule schedule = new GroupSchedule(List.of(limit));
    schedule.take(0, new long[] {limit.capacity()});
    return schedule;
  }

  /** RS-10. */
  @Test
  void drained_bucket_of_twice_the_rate_grants_after_half_a_second() {
    GroupSchedule faster =
        drained(limit(1, 1).burst(10)).reconfigured(List.of(limit(2, 1).burst(10)), 0);

    assertThat(faster.earliest(0, ONE)).isEqualTo(SECOND / 2);
    assertThat(faster.earliest(0, new long[] {10})).isEqualTo(5 * SECOND);
  }

  /** RS-10. */
  @Test
  void drained_bucket_of_half_the_rate_grants_after_a_second() {
    GroupSchedule slower =
        drained(limit(2, 1).burst(10)).reconfigured(List.of(limit(1, 1).burst(10)), 0);

    assertThat(slower.earliest(0, ONE)).isEqualTo(SECOND);
    assertThat(slower.remaining(0)).isZero();
  }

  @Test
  void debt_is_kept_from_any_algorithm_to_any_other() {
    RandomGenerator random = Seeded.random(1);
    for (Algorithm from : Algorithm.values()) {
      for (Algorithm to : Algorithm.values()) {
        for (int round = 0; round < 50; round++) {
          Limit old = Seeded.limit(random, from);
          Limit next = Seeded.limit(random, to);
          GroupSchedule schedule = new GroupSchedule(List.of(old));
          long cost = Seeded.cost(random, old);
          long at = 1_790_000_000_000_000L;
          schedule.take(at, new long[] {cost});

          GroupSchedule changed = schedule.reconfigured(List.of(next), at);
          assertThat(changed.remaining(at))
              .as("%s charged %d becomes %s", old, cost, next)
              .isEqualTo(Math.max(0, next.capacity() - cost));
        }
      }
    }
  }

  @Test
  void time_of_a_cooldown_is_no_debt_of_a_limit_that_changes() {
    List<Limit> limits =
        List.of(
            limit(100, 1),
            limit(100, 1).tokenBucket(),
            limit(3, 1).burst(7),
            limit(1, 1),
            limit(60, 60).fixedWindow());
    for (Limit old : limits) {
      for (Limit next : limits) {
        GroupSchedule schedule = new GroupSchedule(List.of(old));
        schedule.notBefore(10 * SECOND);
        GroupSchedule changed = schedule.reconfigured(List.of(next), 0, 10 * SECOND);

        String change = old + " becomes " + next;
        long first = changed.earliest(10 * SECOND, ONE);
        assertThat(first).as(change).isEqualTo(10 * SECOND);
        changed.take(first, ONE);
        // No saved burst either; after windows only their own pace is known to be right.
        long slowest =
            Math.max(old.periodMicros() / old.permits(), next.periodMicros() / next.permits());
        assertThat(changed.earliest(first, ONE) - first)
            .as(change)
            .isBetween(next.periodMicros() / next.permits(), slowest + 1);
      }
    }
  }

  @Test
  void what_is_reserved_behind_a_cooldown_is_kept_in_permits() {
    GroupSchedule schedule = new GroupSchedule(List.of(limit(10, 1).burst(3)));
    schedule.notBefore(10 * SECOND);
    for (int i = 0; i < 5; i++) {
      schedule.take(schedule.earliest(0, ONE), ONE);
    }

    assertThat(
            schedule
                .reconfigured(List.of(limit(1, 1).burst(4)), 0, 10 * SECOND)
                .earliest(10 * SECOND, ONE))
        .isEqualTo(15 * SECOND);
  }

  @ParameterizedTest
  @EnumSource
  void same_limits_behave_as_before(Algorithm algorithm) {
    for (long seed = 0; seed < 50; seed++) {
      RandomGenerator random = Seeded.random(seed);
      Limit limit = Seeded.limit(random, algorithm);
      GroupSchedule schedule = new GroupSchedule(List.of(limit));
      long at = 1_790_000_000_000_000L;
      for (int i = 0; i < 20; i++) {
        at += Seeded.gap(random, limit);
        long[] cost = {Seeded.cost(random, limit)};
        schedule.take(schedule.earliest(at, cost), cost);
      }

      GroupSchedule changed = schedule.reconfigured(List.of(limit), at);
      assertThat(changed.earliest(at, ONE) - schedule.earliest(at, ONE))
          .as("seed %d: %s", seed, limit)
          .isBetween(0L, 1L);
    }
  }

  @Test
  void limits_are_matched_by_name_before_place() {
    Limit perMinute = limit(60, 60).tokenBucket().named("minute");
    Limit perDay = limit(1_000, 86_400).fixedWindow().named("day");
    GroupSchedule schedule = new GroupSchedule(List.of(perMinute, perDay));
    schedule.take(0, new long[] {10, 100});

    GroupSchedule changed = schedule.reconfigured(List.of(perDay, perMinute), 0);
    assertThat(changed.remaining(0, 0)).isEqualTo(900);
    assertThat(changed.remaining(1, 0)).isEqualTo(50);
  }

  @Test
  void offset_guard_and_overlay_are_kept() {
    GroupSchedule schedule = new GroupSchedule(List.of(limit(1, 60).fixedWindow().named("minute")));
    schedule.align(30 * SECOND);
    schedule.guard(1_000);
    schedule.slow(10 * SECOND, 20 * SECOND, SECOND, 1);

    GroupSchedule changed =
        schedule.reconfigured(List.of(limit(2, 60).fixedWindow().named("minute")), 0);
    assertThat(changed.guard()).isEqualTo(1_000);
    assertThat(changed.earliest(0, ONE)).isEqualTo(10 * SECOND);
    changed.take(10 * SECOND, new long[] {2});
    assertThat(changed.earliest(20 * SECOND, ONE)).isEqualTo(40_001_000);
  }

  @Test
  void limit_of_another_unit_in_the_same_place_starts_without_debt() {
    GroupSchedule schedule = drained(limit(10, 1).tokenBucket());

    GroupSchedule changed =
        schedule.reconfigured(List.of(limit(100, 1).tokenBucket().unit("tokens")), 0);
    assertThat(changed.remaining(0)).isEqualTo(100);
  }

  @Test
  void time_before_the_end_of_a_cooldown_is_no_debt() {
    GroupSchedule schedule = new GroupSchedule(List.of(limit(100, 1)));
    schedule.notBefore(60 * SECOND);
    schedule.take(60 * SECOND, ONE);

    GroupSchedule changed = schedule.reconfigured(List.of(limit(1, 1)), 60 * SECOND);
    assertThat(changed.earliest(60 * SECOND, ONE)).isEqualTo(61 * SECOND);
  }
}
