package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.limit.GroupSchedule;
import dev.paceline.limit.Limit;
import dev.paceline.limit.LimitState;
import dev.paceline.limit.Snapshot;
import dev.paceline.store.Change;
import dev.paceline.store.Floor;
import dev.paceline.store.Group;
import dev.paceline.store.RemoteReply;
import dev.paceline.store.RemoteReply.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same random calls and changes in process and through the script: the same answers. */
class ScriptDifferentialIT {
  private static final int STEPS = 60;
  private static final long EPOCH = 1_800_000_000_000_000L;

  private static SetClock clock;

  @BeforeAll
  static void connect() {
    clock = new SetClock();
  }

  @AfterAll
  static void disconnect() {
    clock.close();
  }

  /** Another first seed, or more of them, by system properties. */
  static LongStream seeds() {
    long first = Long.getLong("paceline.seed", 1);
    return LongStream.range(first, first + Integer.getInteger("paceline.seeds", 200));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void script_and_process_agree(long seed) {
    new Play(seed).play();
  }

  /** One sequence on one group. */
  private static final class Play {
    private final SplittableRandom random;
    private final String name;
    private final Group group;
    private final GroupSchedule schedule;
    private final int limits;
    private final long scale;
    private final List<Long> starts = new ArrayList<>();
    private final List<String> score = new ArrayList<>();
    private long cooldownUntil = Long.MIN_VALUE;
    private long generation;
    private boolean countsCalls;
    private long now;

    Play(long seed) {
      random = new SplittableRandom(seed);
      name = "seed " + seed;
      group = RandomGroup.draw(random, name);
      schedule = new GroupSchedule(group.limits());
      limits = group.limits().size();
      scale = RandomGroup.interval(group);
      now = EPOCH + random.nextLong(86_400_000_000L);
    }

    void play() {
      for (int step = 0; step < STEPS; step++) {
        now +=
            switch (random.nextInt(4)) {
              case 0 -> 0;
              case 1 -> random.nextLong(scale + 1);
              case 2 -> random.nextLong(4 * scale + 1);
              default -> random.nextInt(8) == 0 ? random.nextLong(100 * scale + 1) : 1;
            };
        clock.now = now;
        int what = random.nextInt(21);
        if (what < 12) {
          ask();
        } else {
          change(what);
        }
        compareStates();
      }
    }

    private boolean settled(int limit) {
      return !group.limits().get(limit).unit().equals(Limit.REQUESTS);
    }

    private long from() {
      return Math.max(now, cooldownUntil);
    }

    private long[] costs() {
      long[] costs = new long[limits];
      for (int i = 0; i < limits; i++) {
        long most = Math.min(4, group.limits().get(i).capacity());
        costs[i] = random.nextInt(3) > 0 ? 1 : random.nextLong(limits > 1 ? 0 : 1, most + 2);
      }
      if (Arrays.stream(costs).allMatch(cost -> cost == 0)) {
        costs[0] = 1;
      }
      return costs;
    }

    private void ask() {
      long[] costs = costs();
      int permits = 1 + random.nextInt(6);
      long quantum = random.nextInt(3) == 0 ? 0 : random.nextLong(5 * scale + 1);
      long latest = random.nextInt(3) == 0 ? random.nextLong(3 * scale + 1) : Long.MAX_VALUE;
      Floor floor = random.nextInt(4) == 0 ? floor() : SetClock.NO_FLOOR;
      note(
          "ask %s, %d, %d, %d, %s"
              .formatted(Arrays.toString(costs), permits, quantum, latest, floor));
      RemoteReply reply =
          clock.decide(SetClock.ask(group, costs, permits, quantum, latest, floor)).get(0);
      merge(floor);
      long earliest = schedule.earliest(from(), costs);
      if (earliest == GroupSchedule.NEVER) {
        check(reply.kind(), Kind.NEVER);
      } else if (earliest - now > latest) {
        check(reply.kind(), Kind.TOO_LATE);
        check(reply.earliest(), earliest);
      } else {
        long[] expected = new long[permits];
        int count = schedule.run(from(), costs, permits, quantum, expected);
        check(Arrays.toString(reply.starts()), Arrays.toString(Arrays.copyOf(expected, count)));
        starts.add(expected[random.nextInt(count)]);
      }
    }

    /** What a worker may remember: no more generations than there were, debt near what there is. */
    private Floor floor() {
      if (generation == 0) {
        return SetClock.NO_FLOOR;
      }
      List<LimitState> states = new ArrayList<>();
      for (LimitState state : schedule.snapshot().limits()) {
        states.add(remembered(state));
      }
      return new Floor(generation, new Snapshot(states));
    }

    private LimitState remembered(LimitState state) {
      long off = random.nextLong(-scale, scale + 1);
      if (state instanceof LimitState.Arrival arrival) {
        return new LimitState.Arrival(arrival.tatMicros() - now + off, arrival.remainder());
      }
      if (state instanceof LimitState.Window window) {
        return new LimitState.Window(window.startMicros(), window.count() + random.nextInt(3));
      }
      if (state instanceof LimitState.TwoWindows two) {
        return new LimitState.TwoWindows(
            two.startMicros(), two.current() + random.nextInt(2), two.previous());
      }
      if (state instanceof LimitState.Log log && !log.runs().isEmpty()) {
        LimitState.Run newest = log.runs().get(log.runs().size() - 1);
        return new LimitState.Log(
            List.of(new LimitState.Run(newest.atMicros() - now, newest.count() + 1)));
      }
      return state;
    }

    private void merge(Floor floor) {
      List<LimitState> states = new ArrayList<>();
      for (LimitState state : floor.state().limits()) {
        if (state instanceof LimitState.Arrival arrival) {
          states.add(new LimitState.Arrival(now + arrival.tatMicros(), arrival.remainder()));
        } else if (state instanceof LimitState.Log log) {
          states.add(
              new LimitState.Log(
                  log.runs().stream()
                      .map(run -> new LimitState.Run(now + run.atMicros(), run.count()))
                      .toList()));
        } else {
          states.add(state);
        }
      }
      schedule.merge(new Snapshot(states));
    }

    private void change(int what) {
      Change change;
      switch (what) {
        case 12 -> {
          long micros = 1 + random.nextLong(5 * scale);
          change = new Change.Cooldown(micros);
          if (now + micros > from()) {
            cooldownUntil = now + micros;
            schedule.notBefore(cooldownUntil);
          }
        }
        case 13 -> {
          long micros = random.nextLong(scale + 1);
          change = new Change.Late(micros);
          schedule.delay(micros);
        }
        case 14, 15, 16 -> {
          long start = starts.isEmpty() ? now : starts.get(random.nextInt(starts.size()));
          long[] delta = new long[limits];
          // Of calls the script remembers less, and may give back less: that has a test of its own.
          Arrays.setAll(delta, i -> random.nextInt(settled(i) ? -4 : 1, 4));
          change = new Change.Settle(now - start, delta);
          schedule.adjust(start, now, delta);
        }
        case 17 -> {
          int limit = random.nextInt(-1, limits);
          countsCalls |= limit < 0;
          long permits = random.nextInt(4);
          long micros = 1 + random.nextLong(10 * scale);
          change = new Change.Slow(limit, permits, micros);
          schedule.slow(
              limit, permits == 0 ? now + micros : now, now + micros, micros, Math.max(1, permits));
        }
        case 18 -> {
          long micros = random.nextInt(3) == 0 ? 0 : random.nextLong(scale + 1);
          change = new Change.Guard(micros);
          schedule.guard(micros);
        }
        case 19 -> {
          change = new Change.ClearCooldown();
          if (from() > now) {
            schedule.resumeAt(cooldownUntil, now);
          }
          cooldownUntil = Long.MIN_VALUE;
        }
        default -> {
          long ago = random.nextLong(3 * scale + 1);
          long[] cost = costs();
          // Of an overlay that counts calls a charge is one call, whatever it costs.
          long count = countsCalls ? 1 : 1 + random.nextInt(5);
          Arrays.setAll(cost, i -> cost[i] * count);
          long lastAgo = random.nextLong(-scale, ago + 1);
          change = new Change.Charge(ago, lastAgo, cost);
          schedule.charge(now - ago, now - lastAgo, cost);
        }
      }
      note("change " + describe(change));
      RemoteReply reply = clock.change(group, SetClock.NO_FLOOR, change);
      check(reply.kind(), Kind.CHANGED);
      check(reply.guardMicros(), schedule.guard());
      check(reply.cooldownMicros(), from() - now);
    }

    /** What is stored is what is charged, to the remainder. */
    private void compareStates() {
      String stored = clock.redis.get(clock.key(group));
      if (stored == null) {
        return;
      }
      assertThat(clock.redis.pttl(clock.key(group))).isPositive();
      StateText state = StateText.parse(stored);
      generation = state.generation();
      check(withoutEmptyRuns(state.state()).toString(), schedule.snapshot().toString());
    }

    private static Snapshot withoutEmptyRuns(Snapshot snapshot) {
      return new Snapshot(snapshot.limits().stream().map(Play::withoutEmptyRuns).toList());
    }

    private static LimitState withoutEmptyRuns(LimitState state) {
      return state instanceof LimitState.Log log
          ? new LimitState.Log(log.runs().stream().filter(run -> run.count() > 0).toList())
          : state;
    }

    private static String describe(Change change) {
      if (change instanceof Change.Settle settle) {
        return settle + Arrays.toString(settle.delta());
      }
      return change instanceof Change.Charge charge
          ? charge + Arrays.toString(charge.cost())
          : change.toString();
    }

    private void note(String what) {
      score.add("at " + (now - EPOCH) + " " + what);
    }

    private void check(Object actual, Object expected) {
      assertThat(actual)
          .as(
              "%s: %s%n%s%nstored: %s",
              name, group.limits(), String.join("\n", score), clock.redis.get(clock.key(group)))
          .isEqualTo(expected);
    }
  }
}
