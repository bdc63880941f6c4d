package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.limit.Limit;
import dev.paceline.store.Ask;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.RemoteAsk;
import dev.paceline.store.RemoteReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Permits that the script gives before anybody has asked for them, used as late as is allowed. */
final class PermitsAheadIT {

  private static final long QUANTUM = 20_000;

  /** Permits, microseconds and burst. */
  private static final int[][] LIMITS = {
    {1_000_000, 1_000_000, 50_000}, {3_000, 1_000_000, 200}, {700, 300_000, 90}, {7, 3_000, 300}
  };

  private int given;

  @Test
  void a_strict_provider_refuses_none_that_is_used_within_its_quantum() {
    for (int seed = 0; seed < 40; seed++) {
      assertThat(refused(seed, QUANTUM)).as("seed %d", seed).isZero();
    }
    assertThat(given).isGreaterThan(1_000);
  }

  @Test
  void the_same_judge_refuses_some_that_are_used_later_than_that() {
    int refused = 0;
    for (int seed = 0; seed < 40; seed++) {
      refused += refused(seed, 5 * QUANTUM);
    }
    assertThat(refused).isPositive();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void none_comes_where_the_limit_makes_callers_wait(boolean beside) {
    try (SetClock script = new SetClock()) {
      script.now = 1_800_000_000_000_000L;
      Group group = group(0, 200, 1_000_000, 5, beside);
      for (int i = 0; i < 50; i++) {
        assertThat(ask(script, group, 1, 100).starts()).hasSize(1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void at_most_half_of_the_burst_that_is_left_goes_ahead(boolean beside) {
    try (SetClock script = new SetClock()) {
      script.now = 1_800_000_000_000_000L;
      Group group = group(1, 1_000, 1_000_000, 1_000, beside);
      // One is taken, twenty are lost by the quantum: half of 980 remain, of 490, of 245.
      assertThat(ask(script, group, 1, 511).starts()).hasSize(1 + 490);
      assertThat(ask(script, group, 1, 511).starts()).hasSize(1 + 244);
      assertThat(ask(script, group, 1, 10).starts()).hasSize(1 + 10);
    }
  }

  private int refused(int seed, long usedWithin) {
    Random random = new Random(seed);
    int[] limit = LIMITS[seed % LIMITS.length];
    List<Long> uses = new ArrayList<>();
    try (SetClock script = new SetClock()) {
      script.now = 1_800_000_000_000_000L;
      Group group = group(seed, limit[0], limit[1], limit[2], seed / 4 % 2 == 0);
      for (int i = 0; i < 120; i++) {
        script.now += random.nextInt(random.nextInt(10) == 0 ? 200_000 : 4_000);
        // Now and then so many that the burst is spent.
        int wanted = 1 + random.nextInt(random.nextInt(5) == 0 ? 400 : 3);
        RemoteReply reply = ask(script, group, wanted, random.nextInt(2) * random.nextInt(60));
        long[] starts = reply.starts();
        for (int j = 0; j < starts.length; j++) {
          boolean ahead = j >= wanted;
          uses.add(starts[j] + (ahead ? (long) (random.nextDouble() * usedWithin) : 0));
          given += ahead ? 1 : 0;
        }
      }
    }
    Collections.sort(uses);
    return judge(uses, limit[0], limit[1], limit[2]);
  }

  private static RemoteReply ask(SetClock script, Group group, int permits, int ahead) {
    long[] cost = new long[group.limits().size()];
    Arrays.fill(cost, 1);
    Ask ask = new Ask(group, cost, permits, ahead, QUANTUM, Long.MAX_VALUE, 0);
    return script.decide(new RemoteAsk(ask, SetClock.NO_FLOOR, List.of())).get(0);
  }

  /**
   * One limit, which the script has a quick way for.
   *
   * @param beside with a second one that never makes anybody wait, for which it has none
   */
  private static Group group(int seed, long permits, long micros, long burst, boolean beside) {
    Limit limit = Limit.of(permits).per(Duration.ofNanos(micros * 1_000)).burst(burst);
    Limit wide = Limit.of(permits * 10).per(Duration.ofNanos(micros * 1_000)).burst(burst * 10);
    return new Group(
        new GroupKey("api", "*", "seed" + seed), beside ? List.of(limit, wide) : List.of(limit));
  }

  /** Instants times permits, so that the interval is whole. */
  private static int judge(List<Long> uses, long permits, long micros, long burst) {
    int refused = 0;
    long tat = Long.MIN_VALUE;
    for (long use : uses) {
      long now = (use - 1_800_000_000_000_000L) * permits;
      long after = Math.max(tat, now) + micros;
      if (after - now > burst * micros) {
        refused++;
      } else {
        tat = after;
      }
    }
    return refused;
  }
}
