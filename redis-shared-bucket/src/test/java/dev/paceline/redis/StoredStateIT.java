package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paceline.limit.Limit;
import dev.paceline.limit.LimitState;
import dev.paceline.limit.Snapshot;
import dev.paceline.store.Change;
import dev.paceline.store.Floor;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.RemoteReply;
import dev.paceline.store.RemoteReply.Kind;
import dev.paceline.store.RemoteReply.Trouble;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.SetArgs;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What becomes of a stored state that is lost, stale, foreign, of other limits, or of the future.
 */
class StoredStateIT {
  private static final long SECOND = 1_000_000;
  private static final long HOUR = 3_600 * SECOND;
  private static final long EPOCH = 1_800_000_000_000_000L;

  private static SetClock clock;
  private static int names;

  @BeforeAll
  static void connect() {
    clock = new SetClock();
    clock.now = EPOCH;
  }

  @AfterAll
  static void disconnect() {
    clock.close();
  }

  private static Group group(Limit... limits) {
    return group("rule " + ++names, limits);
  }

  private static Group group(String rule, Limit... limits) {
    return new Group(new GroupKey("state", "*", rule), List.of(limits));
  }

  private static Limit per(long permits, Duration period) {
    return Limit.of(permits).per(period);
  }

  private static Limit perSecond(long permits) {
    return per(permits, Duration.ofSeconds(1));
  }

  private static RemoteReply take(Group group, int permits, Floor floor) {
    long[] cost = new long[group.limits().size()];
    java.util.Arrays.fill(cost, 1);
    return clock
        .decide(SetClock.ask(group, cost, permits, Long.MAX_VALUE, Long.MAX_VALUE, floor))
        .get(0);
  }

  private static RemoteReply take(Group group, int permits) {
    return take(group, permits, SetClock.NO_FLOOR);
  }

  private static long ttlMicros(Group group) {
    return clock.redis.pttl(clock.key(group)) * 1_000;
  }

  /** What a worker remembers {@code later} micros after a reply, less a lead of 3 ms. */
  private static Floor floor(RemoteReply reply, long later) {
    long back = reply.now() + later + 3_000;
    return new Floor(
        reply.generation(),
        new Snapshot(reply.state().limits().stream().map(state -> relative(state, back)).toList()),
        later);
  }

  private static LimitState relative(LimitState state, long back) {
    if (state instanceof LimitState.Arrival arrival) {
      return new LimitState.Arrival(arrival.tatMicros() - back, arrival.remainder());
    }
    if (state instanceof LimitState.Log log) {
      return new LimitState.Log(
          log.runs().stream()
              .map(run -> new LimitState.Run(run.atMicros() - back, run.count()))
              .toList());
    }
    return state;
  }

  static List<Limit> algorithms() {
    return List.of(
        perSecond(3),
        perSecond(10).burst(5),
        perSecond(10).tokenBucket(),
        per(10, Duration.ofHours(2)).fixedWindow(),
        per(10, Duration.ofHours(2)).slidingWindowCounter(),
        per(10, Duration.ofHours(2)).slidingWindowLog());
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void state_that_vanished_comes_back_with_the_first_worker(Limit limit) {
    Group group = group(limit);
    RemoteReply before = take(group, 10);
    clock.redis.del(clock.key(group));
    clock.now += SECOND / 5;
    RemoteReply after = take(group, 1, floor(before, SECOND / 5));
    assertThat(after.trouble()).isEqualTo(Trouble.STATE_LOST);
    long undisturbed = undisturbed(limit, before.now());
    assertThat(after.starts()[0]).isBetween(undisturbed - 3_000, undisturbed);
    clock.now = EPOCH;
  }

  /** Where the same permit starts if nothing is lost. */
  private static long undisturbed(Limit limit, long at) {
    Group twin = group(limit);
    clock.now = at;
    take(twin, 10);
    clock.now = at + SECOND / 5;
    return take(twin, 1).starts()[0];
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void replica_that_missed_writes_is_brought_up(Limit limit) {
    Group group = group(limit);
    take(group, 1);
    String stale = clock.redis.get(clock.key(group));
    clock.now += SECOND / 5;
    RemoteReply before = take(group, 10);
    clock.redis.set(clock.key(group), stale, SetArgs.Builder.px(3_600_000));
    clock.now += SECOND / 5;
    RemoteReply after = take(group, 1, floor(before, SECOND / 5));
    assertThat(after.trouble()).isEqualTo(Trouble.STATE_LOST);
    clock.now = EPOCH;
  }

  @Test
  void floor_that_others_gave_back_below_is_no_loss() {
    Group group = group(perSecond(10).tokenBucket().unit("tokens"));
    RemoteReply before = take(group, 8);
    clock.now += 10_000;
    clock.change(group, SetClock.NO_FLOOR, new Change.Settle(10_000, new long[] {-4}));
    RemoteReply after = take(group, 1, floor(before, 10_000));
    assertThat(after.trouble()).isEqualTo(Trouble.NONE);
    clock.now = EPOCH;
  }

  @Test
  void floor_of_an_older_generation_does_not_bring_back_a_cooldown() {
    Group group = group(perSecond(10));
    RemoteReply cooled = clock.change(group, SetClock.NO_FLOOR, new Change.Cooldown(HOUR));
    clock.change(group, SetClock.NO_FLOOR, new Change.ClearCooldown());
    RemoteReply after = take(group, 1, floor(cooled, 1_000));
    assertThat(after.starts()).containsExactly(clock.now);
    assertThat(after.generation()).isEqualTo(2);
    assertThat(after.trouble()).isEqualTo(Trouble.NONE);
    // Even after the schedule itself is full again, as long as such a floor may reach.
    assertThat(ttlMicros(group)).isGreaterThan(HOUR);
  }

  @Test
  void floor_of_a_newer_generation_replaces_a_stale_state() {
    Group group = group(perSecond(10));
    clock.change(group, SetClock.NO_FLOOR, new Change.Cooldown(HOUR));
    String stale = clock.redis.get(clock.key(group));
    RemoteReply cleared = clock.change(group, SetClock.NO_FLOOR, new Change.ClearCooldown());
    clock.redis.set(clock.key(group), stale, SetArgs.Builder.px(3_600_000));
    RemoteReply after = take(group, 1, floor(cleared, 1_000));
    assertThat(after.trouble()).isEqualTo(Trouble.STATE_LOST);
    assertThat(after.starts()).containsExactly(clock.now);
    assertThat(after.cooldownMicros()).isZero();
    assertThat(after.generation()).isEqualTo(2);
  }

  @Test
  void clock_that_steps_back_takes_the_state_along() {
    for (Limit limit : List.of(perSecond(3), per(10, Duration.ofHours(2)).slidingWindowLog())) {
      Group group = group(limit);
      RemoteReply before = take(group, 10);
      clock.now -= HOUR;
      RemoteReply after = take(group, 1);
      assertThat(after.trouble()).isEqualTo(Trouble.CLOCK_STEPPED);
      clock.now += HOUR;
      assertThat(after.starts()[0] + HOUR).isEqualTo(undisturbedAtOnce(limit));
      assertThat(before.trouble()).isEqualTo(Trouble.NONE);
      clock.now = EPOCH;
    }
  }

  private static long undisturbedAtOnce(Limit limit) {
    Group twin = group(limit);
    take(twin, 10);
    return take(twin, 1).starts()[0];
  }

  @Test
  void cooldown_of_a_clock_that_steps_back_lasts_as_long_as_it_would_have() {
    Group group = group(perSecond(3));
    clock.change(group, SetClock.NO_FLOOR, new Change.Cooldown(10 * SECOND));
    clock.now -= HOUR;
    RemoteReply after = take(group, 1);
    assertThat(after.starts()).containsExactly(clock.now + 10 * SECOND);
    assertThat(after.cooldownMicros()).isEqualTo(10 * SECOND);
    clock.now = EPOCH;
  }

  @Test
  void clock_that_steps_ahead_gives_no_burst_to_a_worker_that_remembers() {
    Group group = group(perSecond(10).burst(10));
    RemoteReply before = take(group, 20);
    clock.now += HOUR;
    RemoteReply after = take(group, 1, floor(before, 0));
    assertThat(after.starts()[0]).isEqualTo(clock.now + SECOND + SECOND / 10 - 3_000);
    clock.now = EPOCH;
  }

  /** RS-04, GM-03. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "hello",
        "",
        "1e400",
        "1",
        "1 1",
        "1 1 ",
        "1 x 0 0 0 10",
        "1 1 0 0 0 10;q5",
        "1 1800000000000000 0 0 0 0x10",
        "1 1800000000000000 99999999999999999999 0 0 333333+1/3",
        "1 99999999999999999999 0 0 0 333333+1/3",
        "1 1800000000000000 5 9 0 333333+1/3",
        "99999999999999999999 1 n",
        "1 1800000000000000 l5 ",
        "1 1800000000000000 f1 2 3 0",
        "1 1800000000000000 0 0 0 333333+1/0",
        "nil",
        "\u0000\u0001"
      })
  void junk_is_treated_as_absent_and_told(String junk) {
    for (Limit limit : algorithms()) {
      Group group = group(limit);
      clock.redis.set(clock.key(group), junk);
      RemoteReply reply = take(group, 1);
      assertThat(reply.trouble()).as("%s over %s", limit, junk).isEqualTo(Trouble.JUNK);
      assertThat(reply.starts()).containsExactly(clock.now);
      assertThat(ttlMicros(group)).isPositive();
      assertThat(take(group, 1).trouble()).isEqualTo(Trouble.NONE);
    }
  }

  /** RS-04. */
  @Test
  void value_of_a_wrong_type_is_a_failure_and_left_alone() {
    Group group = group(perSecond(1));
    clock.redis.rpush(clock.key(group), "theirs");
    assertThatThrownBy(() -> take(group, 1))
        .isInstanceOf(RedisCommandExecutionException.class)
        .hasMessageContaining("WRONGTYPE");
    assertThat(clock.redis.lrange(clock.key(group), 0, -1)).containsExactly("theirs");
    clock.redis.del(clock.key(group));
  }

  /** RS-02. */
  @Test
  void key_made_immortal_by_hand_gets_its_end_back() {
    Group group = group(perSecond(1));
    take(group, 1);
    clock.redis.persist(clock.key(group));
    take(group, 1);
    assertThat(ttlMicros(group)).isPositive();
  }

  /** RS-08. */
  @Test
  void faster_limit_paces_by_itself_behind_the_old_debt() {
    Group slow = group(perSecond(2));
    take(slow, 1);
    Group fast = group(slow.key().rule(), perSecond(10));
    RemoteReply reply = take(fast, 10);
    assertThat(reply.trouble()).isEqualTo(Trouble.LIMITS_DIFFER);
    assertThat(reply.starts()[0]).isEqualTo(clock.now + SECOND / 2);
    assertThat(reply.starts()[9]).isEqualTo(clock.now + SECOND / 2 + 9 * SECOND / 10);
  }

  /** RS-10 b. */
  @Test
  void slower_limit_rescales_the_debt() {
    Group fast = group(perSecond(2).burst(10));
    take(fast, 10);
    Group slow = group(fast.key().rule(), perSecond(1).burst(10));
    RemoteReply reply = take(slow, 1);
    assertThat(reply.starts()[0]).isBetween(clock.now + SECOND, clock.now + SECOND + 2);
  }

  /** RS-10 a. */
  @Test
  void reconfigured_to_faster_keeps_the_debt_in_permits() {
    Group slow = group(perSecond(1).burst(10));
    RemoteReply drained = take(slow, 10);
    Group fast = group(slow.key().rule(), perSecond(2).burst(10));
    clock.change(fast, floor(drained, 0), new Change.Reconfigure());
    RemoteReply reply = take(fast, 1, floor(drained, 0));
    assertThat(reply.starts()[0]).isBetween(clock.now + SECOND / 2, clock.now + SECOND);
    assertThat(reply.generation()).isEqualTo(2);
    assertThat(reply.trouble()).isEqualTo(Trouble.NONE);
  }

  /** RS-11. */
  @Test
  void worker_with_a_faster_limit_shortens_neither_wait_nor_life() {
    Group slow = group(per(1, Duration.ofMinutes(2)));
    take(slow, 1);
    Group fast = group(slow.key().rule(), perSecond(1));
    for (int i = 0; i < 3; i++) {
      take(fast, 1);
      assertThat(ttlMicros(slow)).isGreaterThanOrEqualTo(120 * SECOND);
    }
    RemoteReply reply =
        clock.decide(SetClock.ask(slow, new long[] {1}, 1, 0, -1, SetClock.NO_FLOOR)).get(0);
    assertThat(reply.kind()).isEqualTo(Kind.TOO_LATE);
    // The slow worker waits for the fast one's three permits too, but none of them is rescaled.
    assertThat(reply.earliest()).isEqualTo(clock.now + 123 * SECOND);
  }

  @Test
  void other_algorithm_takes_over_the_debt_in_permits() {
    Group window = group(per(10, Duration.ofSeconds(10)).fixedWindow());
    clock.now += 5 * SECOND;
    take(window, 4);
    Group paced = group(window.key().rule(), perSecond(1).burst(4));
    RemoteReply reply = take(paced, 1);
    assertThat(reply.trouble()).isEqualTo(Trouble.LIMITS_DIFFER);
    assertThat(reply.starts()).containsExactly(clock.now + SECOND);
    clock.now = EPOCH;
  }

  @Test
  void time_of_a_cooldown_is_no_debt_of_a_slower_limit() {
    for (long burst : new long[] {1, 5}) {
      Group fast = group(perSecond(100).burst(burst));
      clock.change(fast, SetClock.NO_FLOOR, new Change.Cooldown(10 * SECOND));
      Group slow = new Group(fast.key(), List.of(perSecond(1).burst(burst)));
      assertThat(take(slow, 1).starts()).containsExactly(clock.now + 10 * SECOND);
      assertThat(take(slow, 1).starts()).containsExactly(clock.now + 11 * SECOND);
    }
    Group paced = group(perSecond(10));
    clock.change(paced, SetClock.NO_FLOOR, new Change.Cooldown(10 * SECOND));
    Group window = new Group(paced.key(), List.of(perSecond(10).fixedWindow()));
    assertThat(take(window, 1).starts()).containsExactly(clock.now + 10 * SECOND);
    assertThat(take(window, 1).starts()).containsExactly(clock.now + 10 * SECOND + SECOND / 10);
  }

  @Test
  void late_sends_of_two_workers_in_one_stretch_merge_by_max() {
    Group group = group(perSecond(10));
    AskArguments other = new AskArguments("other", clock.names.channel());
    take(group, 1);
    clock.change(group, SetClock.NO_FLOOR, new Change.Late(20_000));
    clock.now += 1_000;
    clock.decideAs(
        other,
        SetClock.ask(group, new long[1], 0, 0, 0, SetClock.NO_FLOOR, new Change.Late(30_000)));
    assertThat(take(group, 1).starts()).containsExactly(EPOCH + SECOND / 10 + 30_000);
    // Much later is another stretch.
    clock.now += 50_000;
    clock.change(group, SetClock.NO_FLOOR, new Change.Late(10_000));
    assertThat(take(group, 1).starts()).containsExactly(EPOCH + 2 * SECOND / 10 + 40_000);
    clock.now = EPOCH;
  }

  @Test
  void plain_state_is_short() {
    Group group = group(perSecond(3));
    for (int i = 0; i < 12; i++) {
      take(group, 1);
    }
    assertThat(clock.redis.get(clock.key(group))).hasSizeLessThanOrEqualTo(44);
    Group backlog = group(perSecond(1_000));
    for (int i = 0; i < 100; i++) {
      take(backlog, 80);
    }
    assertThat(clock.redis.get(clock.key(backlog))).hasSizeLessThanOrEqualTo(44);
  }

  /** SC-07. */
  @Test
  void wait_is_never_cut_to_zero_and_a_third_of_a_second_does_not_drift() {
    Group one = group(perSecond(1));
    take(one, 1);
    clock.now += 600_000;
    RemoteReply denied =
        clock.decide(SetClock.ask(one, new long[] {1}, 1, 0, 0, SetClock.NO_FLOOR)).get(0);
    assertThat(denied.kind()).isEqualTo(Kind.TOO_LATE);
    assertThat(denied.earliest() - clock.now).isEqualTo(400_000);

    Group thirds = group(perSecond(3));
    clock.now = EPOCH;
    long[] starts = new long[180];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = take(thirds, 1).starts()[0] - EPOCH;
      assertThat(starts[i]).isEqualTo((i * SECOND + 2) / 3);
    }
  }

  /** SC-08. */
  @Test
  void instants_of_sixteen_digits_are_stored_as_they_are() {
    clock.now = EPOCH + 123_456;
    Group days = group(per(1, Duration.ofDays(1)));
    for (int i = 0; i < 30; i++) {
      take(days, 500);
    }
    assertThat(clock.redis.get(clock.key(days)))
        .isEqualTo("1 1800000000123456 1296000000000000 0 0 86400000000");
    for (Limit limit : algorithms()) {
      Group group = group(limit);
      take(group, 1);
      take(group, 5);
      String stored = clock.redis.get(clock.key(group));
      assertThat(stored).startsWith("1 1800000000123456 ").doesNotContain("e", ".", "n");
    }
    clock.now = EPOCH;
  }

  /** RS-14: names carry the version of what is stored, so no version misreads another's. */
  @Test
  void value_of_another_version_is_left_alone() {
    Group group = group(perSecond(1));
    String other = clock.key(group).replaceFirst("^pl1:", "pl0:");
    clock.redis.set(other, "theirs");
    assertThat(take(group, 1).trouble()).isEqualTo(Trouble.NONE);
    assertThat(clock.redis.get(other)).isEqualTo("theirs");
    clock.redis.del(other);
  }

  /** RS-07. */
  @Test
  void steady_traffic_below_the_limit_never_waits_for_more_than_an_interval() {
    for (Limit limit :
        List.of(perSecond(10), perSecond(10).slidingWindowLog(), perSecond(10).tokenBucket())) {
      Group group = group(limit);
      clock.now = EPOCH;
      for (int i = 0; i < 180; i++) {
        clock.now += SECOND / 9;
        assertThat(take(group, 1).starts()[0] - clock.now).isBetween(0L, SECOND / 10);
      }
    }
    clock.now = EPOCH;
  }

  /** Giving back calls, of which the script remembers less than the process: never more than it. */
  @Test
  void settled_calls_give_back_no_more_than_what_time_has_not_paid() {
    Group group = group(perSecond(10));
    long start = take(group, 1).starts()[0];
    clock.now += 30_000;
    clock.change(group, SetClock.NO_FLOOR, new Change.Settle(clock.now - start, new long[] {-1}));
    assertThat(take(group, 1).starts()).containsExactly(clock.now);
    clock.now = EPOCH;
  }
}
