package dev.paceline.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A monotonic clock may start anywhere, and wrap. */
class ClockOriginTest {
  private static final long WALL_MICROS = 1_790_000_000_000_000L;

  /** CK-05. */
  @ParameterizedTest
  @EnumSource
  void any_origin_of_the_monotonic_clock_gives_the_same_schedule(Algorithm algorithm) {
    for (long seed = 0; seed < 100; seed++) {
      List<Long> fromZero = starts(algorithm, seed, 0);
      for (long origin :
          new long[] {
            Long.MIN_VALUE, -1_000_000, Long.MAX_VALUE - 1_000_123, Long.MIN_VALUE / 1_000
          }) {
        assertThat(starts(algorithm, seed, origin))
            .as("seed %d, origin %d", seed, origin)
            .isEqualTo(fromZero);
      }
    }
  }

  private static List<Long> starts(Algorithm algorithm, long seed, long origin) {
    RandomGenerator random = Seeded.random(seed);
    Limit limit = Seeded.limit(random, algorithm);
    GroupSchedule schedule = new GroupSchedule(List.of(limit));
    schedule.align(WALL_MICROS - origin);
    List<Long> starts = new ArrayList<>();
    long elapsed = 0;
    for (int call = 0; call < 60; call++) {
      elapsed += Seeded.gap(random, limit);
      long[] cost = {Seeded.cost(random, limit)};
      long start = schedule.earliest(origin + elapsed, cost);
      starts.add(start - origin);
      starts.add(schedule.remaining(origin + elapsed));
      if (random.nextBoolean()) {
        schedule.take(start, cost);
      }
    }
    return starts;
  }
}
