package dev.paceline.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Where windows begin, and what happens when the wall clock moves. */
class WindowsTest {
  private static final long SECOND = 1_000_000;
  private static final long[] ONE = {1};

  private static GroupSchedule daily(String zone, long days) {
    return new GroupSchedule(
        List.of(Limit.of(1).per(Duration.ofDays(days)).fixedWindow(ZoneId.of(zone))));
  }

  private static long micros(String instant) {
    Instant at = Instant.parse(instant);
    return at.getEpochSecond() * SECOND + at.getNano() / 1_000;
  }

  @ParameterizedTest
  @CsvSource({
    // A day of 24 hours, of 23 and of 25.
    "America/Los_Angeles, 2026-06-15T12:00:00Z, 2026-06-16T07:00:00Z",
    "America/Los_Angeles, 2026-03-08T08:00:00Z, 2026-03-09T07:00:00Z",
    "America/Los_Angeles, 2026-11-01T07:00:00Z, 2026-11-02T08:00:00Z",
    // Before the change, and a microsecond before midnight.
    "America/Los_Angeles, 2026-03-08T07:59:59.999999Z, 2026-03-08T08:00:00Z",
    // Days that begin at one o'clock, since midnight is skipped.
    "America/Santiago, 2026-09-05T12:00:00Z, 2026-09-06T04:00:00Z",
    "Asia/Kolkata, 2026-06-15T12:00:00Z, 2026-06-15T18:30:00Z",
    "UTC, 1969-12-31T23:59:59.999999Z, 1970-01-01T00:00:00Z"
  })
  void window_of_a_zone_ends_at_its_midnight(String zone, String at, String end) {
    GroupSchedule schedule = daily(zone, 1);
    schedule.take(micros(at), ONE);

    assertThat(schedule.earliest(micros(at), ONE)).isEqualTo(micros(end));
    assertThat(schedule.fullAt()).isEqualTo(micros(end));
  }

  @Test
  void windows_of_several_days_are_counted_from_the_epoch() {
    GroupSchedule schedule = daily("Europe/Berlin", 7);
    // 2026-06-18 is day 20,622 = 7 · 2,946, a Thursday as the epoch was.
    schedule.take(micros("2026-06-18T12:00:00Z"), ONE);

    assertThat(schedule.earliest(micros("2026-06-18T12:00:00Z"), ONE))
        .isEqualTo(micros("2026-06-24T22:00:00Z"));
  }

  @Test
  void bound_behind_others_crosses_a_change_of_the_clocks() {
    GroupSchedule schedule = daily("America/Los_Angeles", 1);
    long at = micros("2026-03-07T12:00:00Z");

    assertThat(schedule.earliestBehind(at, new long[] {2}, ONE))
        .isEqualTo(micros("2026-03-09T07:00:00Z"));
  }

  @Test
  void windows_follow_the_wall_clock_and_not_the_monotonic_one() {
    GroupSchedule schedule =
        new GroupSchedule(List.of(Limit.of(1).per(Duration.ofMinutes(1)).fixedWindow()));
    schedule.align(-123 * SECOND + 59 * SECOND);
    schedule.take(123 * SECOND, ONE);

    assertThat(schedule.earliest(123 * SECOND, ONE)).isEqualTo(124 * SECOND);
  }

  @ParameterizedTest
  @EnumSource(names = {"FIXED_WINDOW", "SLIDING_WINDOW_COUNTER"})
  void window_is_not_entered_backwards_by_a_small_step_of_the_wall_clock(Algorithm algorithm) {
    Limit limit = Limit.of(10).per(Duration.ofMinutes(1));
    GroupSchedule schedule =
        new GroupSchedule(
            List.of(
                algorithm == Algorithm.FIXED_WINDOW
                    ? limit.fixedWindow()
                    : limit.slidingWindowCounter()));
    schedule.align(60 * SECOND);
    schedule.take(0, new long[] {10});
    schedule.align(59 * SECOND);

    assertThat(schedule.remaining(0)).isZero();
    assertThat(schedule.earliest(0, ONE)).isGreaterThanOrEqualTo(61 * SECOND);
  }

  @ParameterizedTest
  @EnumSource(names = {"FIXED_WINDOW", "SLIDING_WINDOW_COUNTER"})
  void time_to_full_and_copies_do_not_depend_on_the_offset(Algorithm algorithm) {
    Limit limit = Limit.of(10).per(Duration.ofMinutes(1));
    Limit counted =
        algorithm == Algorithm.FIXED_WINDOW ? limit.fixedWindow() : limit.slidingWindowCounter();
    GroupSchedule schedule = new GroupSchedule(List.of(counted));
    schedule.align(100 * SECOND);
    schedule.take(-90 * SECOND, new long[] {4});
    long windows = algorithm == Algorithm.FIXED_WINDOW ? 1 : 2;
    assertThat(schedule.fullAt()).isEqualTo(-100 * SECOND + windows * 60 * SECOND);

    // The same charges seen from another monotonic clock, which is 500 s ahead of the first.
    GroupSchedule other = new GroupSchedule(List.of(counted));
    other.align(-400 * SECOND);
    other.restore(schedule.snapshot());
    assertThat(other.fullAt()).isEqualTo(schedule.fullAt() + 500 * SECOND);
    assertThat(other.remaining(-90 * SECOND + 500 * SECOND)).isEqualTo(6);
    // And after a step of its wall clock by an hour, which takes the count along.
    other.align(-4_000 * SECOND);
    assertThat(other.remaining(-100 * SECOND + 500 * SECOND)).isEqualTo(6);
    other.restore(new Snapshot(List.of(new LimitState.Unused())));
    assertThat(other.remaining(0)).isEqualTo(10);
  }

  @Test
  void wall_clock_that_jumps_ahead_opens_the_next_window() {
    GroupSchedule schedule =
        new GroupSchedule(List.of(Limit.of(1).per(Duration.ofMinutes(1)).fixedWindow()));
    schedule.take(0, ONE);
    schedule.align(3_600 * SECOND);

    assertThat(schedule.earliest(SECOND, ONE)).isEqualTo(SECOND);
  }

  @Test
  void full_sliding_counter_frees_its_first_permit_one_hundredth_into_the_next_window() {
    GroupSchedule schedule =
        new GroupSchedule(List.of(Limit.of(100).per(Duration.ofMinutes(1)).slidingWindowCounter()));
    schedule.take(0, new long[] {100});

    assertThat(schedule.earliest(0, ONE)).isEqualTo(60_600_000);
    assertThat(schedule.earliest(0, new long[] {100})).isEqualTo(120_000_000);
  }

  @Test
  void sliding_log_keeps_a_run_for_an_instant_and_forgets_what_has_left() {
    GroupSchedule schedule =
        new GroupSchedule(List.of(Limit.of(1_000).per(Duration.ofSeconds(1)).slidingWindowLog()));
    for (int i = 0; i < 1_000; i++) {
      schedule.take(i / 500, ONE);
    }
    assertThat(schedule.snapshot().limits())
        .containsExactly(
            new LimitState.Log(List.of(new LimitState.Run(0, 500), new LimitState.Run(1, 500))));

    for (long second = 2; second < 10_000; second++) {
      schedule.take(second * SECOND, ONE);
    }
    assertThat(schedule.snapshot().limits())
        .containsExactly(new LimitState.Log(List.of(new LimitState.Run(9_999 * SECOND, 1))));
  }

  @Test
  void sliding_log_is_full_a_period_after_its_newest_charge() {
    GroupSchedule schedule =
        new GroupSchedule(List.of(Limit.of(5).per(Duration.ofSeconds(1)).slidingWindowLog()));
    assertThat(schedule.fullAt()).isEqualTo(Long.MIN_VALUE);
    schedule.take(0, new long[] {2});
    schedule.take(300_000, new long[] {3});

    assertThat(schedule.fullAt()).isEqualTo(1_300_000);
    assertThat(schedule.remaining(1_000_000)).isEqualTo(2);
    assertThat(schedule.remaining(1_300_000)).isEqualTo(5);
    schedule.adjust(0, 900_000, new long[] {-1});
    assertThat(schedule.remaining(900_000)).isEqualTo(1);
    assertThat(schedule.earliest(900_000, new long[] {3})).isEqualTo(1_300_000);
    // What has left the window gives nothing back.
    schedule.adjust(0, 1_000_000, new long[] {-1});
    assertThat(schedule.remaining(1_000_000)).isEqualTo(2);
    schedule.restore(new Snapshot(List.of(new LimitState.Unused())));
    assertThat(schedule.fullAt()).isEqualTo(Long.MIN_VALUE);
  }
}
