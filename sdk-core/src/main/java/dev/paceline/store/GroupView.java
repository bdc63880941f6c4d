package dev.paceline.store;

import dev.paceline.limit.GroupSchedule;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;

/**
 * What a store knows of a group now.
 *
 * @param remaining whole permits that could start at once, the least over all limits
 * @param reservedAhead how far ahead the schedule is reserved; zero if a permit could start now
 * @param cooldown how long the cooldown still lasts; zero if there is none
 * @param guard what is added to each interval
 * @param workers how many workers share the schedule
 */
public record GroupView(
    long remaining, Duration reservedAhead, Duration cooldown, Duration guard, int workers) {

  /**
   * A view of a schedule.
   *
   * @param now on the schedule's clock
   * @param from when its cooldown ends, or now
   */
  static GroupView of(GroupSchedule schedule, long now, long from, int workers) {
    long[] one = new long[schedule.limits().size()];
    Arrays.fill(one, 1);
    long ahead = Math.max(0, schedule.earliest(from, one) - now);
    return new GroupView(
        from - now > 0 ? 0 : schedule.remaining(now),
        Duration.of(ahead, ChronoUnit.MICROS),
        Duration.of(Math.max(0, from - now), ChronoUnit.MICROS),
        Duration.of(schedule.guard(), ChronoUnit.MICROS),
        workers);
  }
}
