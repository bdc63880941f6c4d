package dev.paceline.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** State that is copied, lost and brought back. */
class SnapshotTest {
  private static final long AT = 1_790_000_000_000_000L;
  private static final long[] ONE = {1};

  private static GroupSchedule schedule(Limit limit) {
    return new GroupSchedule(List.of(limit));
  }

  private static long play(RandomGenerator random, Limit limit, GroupSchedule schedule, long from) {
    long at = from;
    for (int call = 0; call < 20; call++) {
      at += Seeded.gap(random, limit);
      long[] cost = {Seeded.cost(random, limit)};
      schedule.take(schedule.earliest(at, cost), cost);
    }
    return at;
  }

  @ParameterizedTest
  @EnumSource
  void restored_schedule_goes_on_like_the_one_that_was_copied(Algorithm algorithm) {
    for (long seed = 0; seed < 100; seed++) {
      RandomGenerator random = Seeded.random(seed);
      Limit limit = Seeded.limit(random, algorithm);
      GroupSchedule original = schedule(limit);
      long at = play(random, limit, original, AT);
      GroupSchedule copy = schedule(limit);
      copy.restore(original.snapshot());

      play(Seeded.random(seed + 1), limit, original, at);
      play(Seeded.random(seed + 1), limit, copy, at);
      assertThat(copy.snapshot()).as("seed %d: %s", seed, limit).isEqualTo(original.snapshot());
    }
  }

  @ParameterizedTest
  @EnumSource
  void state_that_was_lost_comes_back_by_merging(Algorithm algorithm) {
    for (long seed = 0; seed < 100; seed++) {
      RandomGenerator random = Seeded.random(seed);
      Limit limit = Seeded.limit(random, algorithm);
      GroupSchedule known = schedule(limit);
      long at = play(random, limit, known, AT);
      GroupSchedule lost = schedule(limit);

      lost.merge(known.snapshot());
      long[] one = {1};
      assertThat(lost.earliest(at, one)).isGreaterThanOrEqualTo(known.earliest(at, one));
      assertThat(lost.remaining(at)).isLessThanOrEqualTo(known.remaining(at));
      Snapshot merged = lost.snapshot();
      lost.merge(known.snapshot());
      assertThat(lost.snapshot()).as("merging twice").isEqualTo(merged);
    }
  }

  @ParameterizedTest
  @EnumSource
  void stale_copy_changes_nothing(Algorithm algorithm) {
    for (long seed = 0; seed < 100; seed++) {
      RandomGenerator random = Seeded.random(seed);
      Limit limit = Seeded.limit(random, algorithm);
      GroupSchedule schedule = schedule(limit);
      long at = play(random, limit, schedule, AT);
      Snapshot stale = schedule.snapshot();
      play(random, limit, schedule, at);
      Snapshot now = schedule.snapshot();

      schedule.merge(stale);
      if (algorithm != Algorithm.SLIDING_WINDOW_LOG) {
        assertThat(schedule.snapshot()).as("seed %d: %s", seed, limit).isEqualTo(now);
      }
      assertThat(schedule.remaining(at)).isLessThanOrEqualTo(limit.capacity());
    }
  }

  @Test
  void merging_takes_the_later_window_and_within_one_the_larger_counts() {
    Limit limit = Limit.of(10).per(Duration.ofMinutes(1));
    GroupSchedule fixed = schedule(limit.fixedWindow());
    fixed.take(60_000_000, new long[] {3});
    for (LimitState.Window lesser :
        List.of(new LimitState.Window(0, 9), new LimitState.Window(60_000_000, 2))) {
      fixed.merge(new Snapshot(List.of(lesser)));
      assertThat(fixed.remaining(60_000_000)).isEqualTo(7);
    }
    fixed.merge(new Snapshot(List.of(new LimitState.Window(60_000_000, 5))));
    assertThat(fixed.remaining(60_000_000)).isEqualTo(5);
    fixed.merge(new Snapshot(List.of(new LimitState.Window(120_000_000, 1))));
    assertThat(fixed.remaining(120_000_000)).isEqualTo(9);

    GroupSchedule counter = schedule(limit.slidingWindowCounter());
    counter.take(0, new long[] {4});
    counter.take(60_000_000, new long[] {3});
    counter.merge(new Snapshot(List.of(new LimitState.TwoWindows(0, 10, 10))));
    assertThat(counter.snapshot().limits())
        .containsExactly(new LimitState.TwoWindows(60_000_000, 3, 4));
    counter.merge(new Snapshot(List.of(new LimitState.TwoWindows(60_000_000, 2, 6))));
    assertThat(counter.snapshot().limits())
        .containsExactly(new LimitState.TwoWindows(60_000_000, 3, 6));
    counter.merge(new Snapshot(List.of(new LimitState.TwoWindows(120_000_000, 1, 2))));
    assertThat(counter.snapshot().limits())
        .containsExactly(new LimitState.TwoWindows(120_000_000, 1, 2));
  }

  @Test
  void merging_takes_the_later_arrival_to_the_last_part_of_a_microsecond() {
    Limit limit = Limit.of(3).per(Duration.ofSeconds(1));
    GroupSchedule schedule = schedule(limit);
    schedule.take(0, ONE);
    for (LimitState.Arrival lesser :
        List.of(new LimitState.Arrival(333_333, 0), new LimitState.Arrival(-1, 2))) {
      schedule.merge(new Snapshot(List.of(lesser)));
      assertThat(schedule.snapshot().limits()).containsExactly(new LimitState.Arrival(333_333, 1));
    }
    schedule.merge(new Snapshot(List.of(new LimitState.Arrival(333_333, 2))));
    assertThat(schedule.snapshot().limits()).containsExactly(new LimitState.Arrival(333_333, 2));
    schedule.merge(new Snapshot(List.of(new LimitState.Arrival(333_334, 0))));
    assertThat(schedule.snapshot().limits()).containsExactly(new LimitState.Arrival(333_334, 0));
  }

  @Test
  void permit_that_was_taken_before_the_copy_can_still_be_given_back() {
    Limit limit = Limit.of(3).per(Duration.ofSeconds(1));
    GroupSchedule original = schedule(limit);
    for (int call = 0; call < 5; call++) {
      original.take(original.earliest(0, ONE), ONE);
    }
    GroupSchedule copy = schedule(limit);
    copy.restore(original.snapshot());

    copy.adjust(1_333_334, 0, new long[] {-1});
    assertThat(copy.earliest(0, ONE)).isEqualTo(1_333_334);
    copy.adjust(666_667, 0, new long[] {-1});
    assertThat(copy.earliest(0, ONE)).isEqualTo(1_333_334);
  }

  @Test
  void log_that_lost_its_start_gets_the_missing_count_at_the_newest_instant() {
    Limit limit = Limit.of(10).per(Duration.ofSeconds(1)).slidingWindowLog();
    GroupSchedule schedule = schedule(limit);
    schedule.take(200, ONE);

    schedule.merge(
        new Snapshot(
            List.of(
                new LimitState.Log(
                    List.of(new LimitState.Run(0, 4), new LimitState.Run(100, 3))))));
    assertThat(schedule.snapshot().limits())
        .containsExactly(new LimitState.Log(List.of(new LimitState.Run(200, 7))));
  }

  @Test
  void state_of_another_algorithm_changes_nothing() {
    GroupSchedule schedule = schedule(Limit.of(10).per(Duration.ofSeconds(1)));
    schedule.take(0, ONE);
    Snapshot before = schedule.snapshot();
    Snapshot foreign = new Snapshot(List.of(new LimitState.Window(0, 5)));

    schedule.merge(foreign);
    schedule.restore(foreign);
    assertThat(schedule.snapshot()).isEqualTo(before);
  }

  @Test
  void impossible_values_are_held_within_range() {
    for (LimitState state :
        List.of(
            new LimitState.Arrival(AT, Long.MAX_VALUE),
            new LimitState.Arrival(AT, -1),
            new LimitState.Window(AT, -5),
            new LimitState.Window(AT, Long.MAX_VALUE),
            new LimitState.TwoWindows(AT, Long.MAX_VALUE, -1),
            new LimitState.TwoWindows(AT, -1, Long.MAX_VALUE),
            new LimitState.Log(List.of(new LimitState.Run(AT, -1))))) {
      for (Algorithm algorithm : Algorithm.values()) {
        Limit limit = Seeded.limit(Seeded.random(1), algorithm);
        GroupSchedule schedule = schedule(limit);
        schedule.restore(new Snapshot(List.of(state)));
        assertThat(schedule.earliest(AT, ONE)).isGreaterThanOrEqualTo(AT);
        assertThat(schedule.remaining(AT)).isBetween(0L, limit.capacity());
      }
    }
  }
}
