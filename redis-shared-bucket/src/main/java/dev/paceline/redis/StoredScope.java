package dev.paceline.redis;

import dev.paceline.limit.Algorithm;
import dev.paceline.limit.GroupSchedule;
import dev.paceline.limit.Limit;
import dev.paceline.store.GroupKey;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/** A stored state, and what it means now. */
record StoredScope(GroupKey key, StateText state, String text) {

  /**
   * The schedule at an instant of Redis' clock.
   *
   * @param told the limits as workers tell them; empty if they do not
   */
  SharedScope at(long now, List<Limit> told, Duration expiresIn) {
    List<Limit> known = told.isEmpty() ? paces() : told;
    long cooldown =
        state.cooldownMicros() == 0
            ? 0
            : Math.max(0, state.written() + state.cooldownMicros() - now);
    long ahead = cooldown;
    long remaining = 0;
    if (!known.isEmpty()) {
      GroupSchedule schedule = new GroupSchedule(known);
      schedule.guard(state.guardMicros());
      schedule.restore(state.state());
      long[] one = new long[known.size()];
      Arrays.fill(one, 1);
      ahead = Math.max(0, schedule.earliest(now + cooldown, one) - now);
      remaining = cooldown > 0 ? 0 : schedule.remaining(now);
    }
    return new SharedScope(
        key,
        told,
        told.isEmpty() ? OptionalLong.empty() : OptionalLong.of(remaining),
        micros(ahead),
        micros(cooldown),
        micros(state.guardMicros()),
        state.generation(),
        expiresIn);
  }

  /** What the state tells of limits, where that is enough to know the next start. */
  private List<Limit> paces() {
    return LimitText.ofState(text)
        .filter(limits -> limits.stream().allMatch(limit -> limit.algorithm() == Algorithm.GCRA))
        .orElse(List.of());
  }

  private static Duration micros(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }
}
