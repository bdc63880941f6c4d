package dev.paceline.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for every algorithm, on random limits and traffic; a failure names its seed. */
class LimitPropertiesTest {
  private static final int SEEDS = 150;
  private static final int CALLS = 60;
  private static final long EPOCH_MICROS = 1_790_000_000_000_000L;

  private static GroupSchedule schedule(Limit limit) {
    return new GroupSchedule(List.of(limit));
  }

  @ParameterizedTest
  @EnumSource
  void earliest_is_the_first_conforming_instant(Algorithm algorithm) {
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomGenerator random = Seeded.random(seed);
      Limit limit = Seeded.limit(random, algorithm);
      GroupSchedule schedule = schedule(limit);
      ReferenceLimit reference = new ReferenceLimit(limit);
      long at = EPOCH_MICROS;
      for (int call = 0; call < CALLS; call++) {
        at += Seeded.gap(random, limit);
        long cost = Seeded.cost(random, limit);
        long start = schedule.earliest(at, new long[] {cost});

        String what = "seed %d, call %d: %s, cost %d at %d".formatted(seed, call, limit, cost, at);
        assertThat(start).as(what).isGreaterThanOrEqualTo(at);
        assertThat(reference.conforms(start, cost)).as("%s starts at %d", what, start).isTrue();
        if (start > at) {
          assertThat(reference.conforms(start - 1, cost)).as("%s just before", what).isFalse();
          assertThat(reference.conforms(at, cost)).as("%s when it came", what).isFalse();
        }
        if (random.nextInt(3) > 0) {
          schedule.take(start, new long[] {cost});
          reference.take(start, cost);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void earliest_never_moves_backwards_and_waiting_for_it_succeeds(Algorithm algorithm) {
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomGenerator random = Seeded.random(seed);
      Limit limit = Seeded.limit(random, algorithm);
      GroupSchedule schedule = schedule(limit);
      long at = EPOCH_MICROS;
      for (int call = 0; call < CALLS; call++) {
        at += Seeded.gap(random, limit);
        long[] cost = {Seeded.cost(random, limit)};
        long start = schedule.earliest(at, cost);
        long later = at + Seeded.gap(random, limit);

        assertThat(schedule.earliest(start, cost)).as("seed %d", seed).isEqualTo(start);
        assertThat(schedule.earliest(later, cost))
            .as("seed %d", seed)
            .isEqualTo(Math.max(start, later));
        schedule.take(start, cost);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void asking_changes_nothing(Algorithm algorithm) {
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomGenerator random = Seeded.random(seed);
      Limit limit = Seeded.limit(random, algorithm);
      GroupSchedule schedule = schedule(limit);
      long at = EPOCH_MICROS;
      for (int call = 0; call < CALLS; call++) {
        at += Seeded.gap(random, limit);
        long[] cost = {Seeded.cost(random, limit)};
        Snapshot before = schedule.snapshot();
        long start = schedule.earliest(at, cost);
        long remaining = schedule.remaining(at);
        schedule.earliest(at + limit.periodMicros(), cost);
        schedule.earliestBehind(at, new long[] {random.nextLong(1, 10_000)}, cost);
        schedule.bindingLimit(at, cost);

        assertThat(schedule.snapshot()).as("seed %d", seed).isEqualTo(before);
        assertThat(schedule.earliest(at, cost)).isEqualTo(start);
        assertThat(schedule.remaining(at)).isEqualTo(remaining);
        schedule.take(start, cost);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void remaining_is_the_largest_cost_that_could_start(Algorithm algorithm) {
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomGenerator random = Seeded.random(seed);
      Limit limit = Seeded.limit(random, algorithm);
      GroupSchedule schedule = schedule(limit);
      long at = EPOCH_MICROS;
      for (int call = 0; call < CALLS; call++) {
        at += Seeded.gap(random, limit);
        long[] cost = {Seeded.cost(random, limit)};
        at = schedule.earliest(at, cost);
        schedule.take(at, cost);
        at += Seeded.gap(random, limit);
        long left = schedule.remaining(at);

        if (left > 0) {
          assertThat(schedule.earliest(at, new long[] {left})).as("seed %d", seed).isEqualTo(at);
        }
        if (left < limit.capacity()) {
          assertThat(schedule.earliest(at, new long[] {left + 1}))
              .as("seed %d", seed)
              .isGreaterThan(at);
        }
      }
    }
  }

  /**
   * burst + window ÷ T for the bucket forms, 2·permits for the aligned windows, permits for the
   * log.
   */
  @ParameterizedTest
  @EnumSource
  void no_window_of_the_period_holds_more_than_the_stated_bound(Algorithm algorithm) {
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomGenerator random = Seeded.random(seed);
      Limit limit = Seeded.limit(random, algorithm);
      long bound =
          switch (algorithm) {
            case GCRA, TOKEN_BUCKET -> limit.burst() + limit.permits();
            case FIXED_WINDOW, SLIDING_WINDOW_COUNTER -> 2 * limit.permits();
            case SLIDING_WINDOW_LOG -> limit.permits();
          };
      List<long[]> admitted = saturated(random, limit);
      int oldest = 0;
      long held = 0;
      for (long[] start : admitted) {
        held += start[1];
        while (start[0] - admitted.get(oldest)[0] >= limit.periodMicros()) {
          held -= admitted.get(oldest++)[1];
        }
        assertThat(held).as("seed %d: %s", seed, limit).isLessThanOrEqualTo(bound);
      }
    }
  }

  private static List<long[]> saturated(RandomGenerator random, Limit limit) {
    GroupSchedule schedule = schedule(limit);
    List<long[]> admitted = new ArrayList<>();
    long at = EPOCH_MICROS + random.nextLong(0, limit.periodMicros() + 1);
    for (int call = 0; call < 300; call++) {
      long cost = Seeded.cost(random, limit);
      at = schedule.earliest(at, new long[] {cost});
      schedule.take(at, new long[] {cost});
      admitted.add(new long[] {at, cost});
    }
    return admitted;
  }

  @ParameterizedTest
  @EnumSource
  void schedule_behind_others_is_never_later_than_it_turns_out(Algorithm algorithm) {
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomGenerator random = Seeded.random(seed);
      Limit limit = Seeded.limit(random, algorithm);
      GroupSchedule schedule = schedule(limit);
      long at = EPOCH_MICROS + random.nextLong(0, limit.periodMicros() + 1);
      for (int earlier = 0; earlier < 4; earlier++) {
        long[] cost = {Seeded.cost(random, limit)};
        schedule.take(schedule.earliest(at, cost), cost);
        at += random.nextLong(0, limit.periodMicros() / 3 + 1);
      }
      long ahead = random.nextLong(1, 40);
      long[] one = {1};

      long bound = schedule.earliestBehind(at, new long[] {ahead}, one);
      for (long i = 0; i < ahead; i++) {
        schedule.take(schedule.earliest(at, one), one);
      }
      long start = schedule.earliest(at, one);
      boolean exact = algorithm != Algorithm.SLIDING_WINDOW_COUNTER;
      assertThat(bound).as("seed %d: %s", seed, limit).isLessThanOrEqualTo(start);
      if (exact) {
        assertThat(bound).as("seed %d: %s", seed, limit).isEqualTo(start);
      } else {
        // Whole permits of a small limit come later than the even flow that the bound assumes.
        assertThat(bound - at).isGreaterThan((start - at) / 2 - 2 * limit.periodMicros());
      }
    }
  }
}
