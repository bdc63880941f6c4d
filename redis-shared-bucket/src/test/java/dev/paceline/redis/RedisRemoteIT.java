package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.limit.Limit;
import dev.paceline.limit.LimitState;
import dev.paceline.redis.testing.RedisServer;
import dev.paceline.store.Ask;
import dev.paceline.store.Change;
import dev.paceline.store.Floor;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.RemoteAsk;
import dev.paceline.store.RemoteReply;
import dev.paceline.store.RemoteReply.Kind;
import dev.paceline.store.RemoteReply.Trouble;
import dev.paceline.store.RemoteStore;
import dev.paceline.store.RemoteStore.RemoteListener;
import dev.paceline.store.RemoteStore.Workers;
import dev.paceline.time.TimeSource;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisRemoteIT {
  private static RedisBuckets buckets;
  private static RemoteStore store;
  private static int names;

  @BeforeAll
  static void connect() {
    buckets =
        RedisBuckets.builder()
            .uri(RedisServer.shared().uri())
            .namespace("remote-it")
            .commandTimeout(Duration.ofSeconds(5))
            .build();
    store = buckets.open(TimeSource.system());
  }

  @AfterAll
  static void disconnect() {
    store.close();
  }

  private static Group group(Limit... limits) {
    return new Group(new GroupKey("api", "owner", "rule-" + ++names), List.of(limits));
  }

  private static Limit perSecond(long permits) {
    return Limit.of(permits).per(Duration.ofSeconds(1));
  }

  static <T> T get(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  static RemoteAsk ask(Group group, int permits, long quantum, long latest) {
    long[] cost = new long[group.limits().size()];
    java.util.Arrays.fill(cost, 1);
    return new RemoteAsk(
        new Ask(group, cost, permits, quantum, latest, 0), SetClock.NO_FLOOR, List.of());
  }

  @Test
  void run_of_permits_starts_now_and_goes_on_at_the_interval() {
    Group group = group(perSecond(1));
    RemoteReply first = get(store.ask(ask(group, 100, 4_000_000, Long.MAX_VALUE)));
    assertThat(first.kind()).isEqualTo(Kind.RESERVED);
    assertThat(first.starts())
        .containsExactly(
            first.now(),
            first.now() + 1_000_000,
            first.now() + 2_000_000,
            first.now() + 3_000_000,
            first.now() + 4_000_000);
    assertThat(first.generation()).isOne();
    assertThat(first.trouble()).isEqualTo(Trouble.NONE);
    assertThat(first.state().limits())
        .containsExactly(new LimitState.Arrival(first.now() + 5_000_000, 0));

    RemoteReply second = get(store.ask(ask(group, 1, 0, Long.MAX_VALUE)));
    assertThat(second.starts()).containsExactly(first.now() + 5_000_000);

    RemoteReply refused = get(store.ask(ask(group, 1, 0, 1_000)));
    assertThat(refused.kind()).isEqualTo(Kind.TOO_LATE);
    assertThat(refused.earliest()).isEqualTo(first.now() + 6_000_000);
  }

  @Test
  void cost_beyond_the_burst_is_never() {
    Group group = group(perSecond(10).burst(3));
    RemoteAsk ask =
        new RemoteAsk(
            new Ask(group, new long[] {4}, 1, 0, Long.MAX_VALUE, 0), SetClock.NO_FLOOR, List.of());
    assertThat(get(store.ask(ask)).kind()).isEqualTo(Kind.NEVER);
  }

  @Test
  void several_groups_are_charged_together_or_not_at_all() {
    Group narrow = group(perSecond(1));
    Group wide = group(perSecond(100), Limit.of(1_000).per(Duration.ofMinutes(1)).fixedWindow());
    List<RemoteAsk> asks =
        List.of(ask(narrow, 1, 20_000, Long.MAX_VALUE), ask(wide, 1, 20_000, Long.MAX_VALUE));
    List<RemoteReply> both = get(store.askAll(asks));
    assertThat(both).extracting(RemoteReply::kind).containsOnly(Kind.RESERVED);
    assertThat(both.get(0).starts()).isEqualTo(both.get(1).starts());

    List<RemoteReply> none = get(store.askAll(asks));
    assertThat(none).extracting(RemoteReply::kind).containsOnly(Kind.TOO_LATE);
    assertThat(none.get(0).earliest()).isEqualTo(both.get(0).starts()[0] + 1_000_000);
    assertThat(none.get(1).state().limits().get(1))
        .isInstanceOfSatisfying(
            LimitState.Window.class, window -> assertThat(window.count()).isOne());
  }

  @Test
  void groups_of_two_owners_are_refused() {
    Group other = new Group(new GroupKey("api", "other", "*"), List.of(perSecond(1)));
    assertThat(store.askAll(List.of(ask(group(perSecond(1)), 1, 0, 0), ask(other, 1, 0, 0))))
        .isCompletedExceptionally();
  }

  @Test
  void days_of_a_zone_begin_at_its_midnight() {
    ZoneId zone = ZoneId.of("America/Los_Angeles");
    Limit daily = Limit.of(2).per(Duration.ofDays(1)).fixedWindow(zone);
    Group group = group(daily);
    RemoteReply today = get(store.ask(ask(group, 2, 0, Long.MAX_VALUE)));
    assertThat(today.starts()).containsExactly(today.now(), today.now());
    long[] midnights = daily.windowStarts(today.now());
    RemoteReply tomorrow = get(store.ask(ask(group, 2, 0, Long.MAX_VALUE)));
    assertThat(tomorrow.starts()).containsExactly(midnights[1], midnights[1]);
    // Beyond the boundaries that are sent at first.
    RemoteReply later = get(store.ask(ask(group, 2, 0, Long.MAX_VALUE)));
    assertThat(later.starts()).containsExactly(midnights[2], midnights[2]);
    RemoteReply latest = get(store.ask(ask(group, 1, 0, Long.MAX_VALUE)));
    assertThat(latest.starts()).containsExactly(daily.windowStarts(midnights[2])[1]);
  }

  @Test
  void cooldown_holds_is_published_and_is_cleared() throws Exception {
    record Heard(String what, GroupKey group, long number) {}
    BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
    Group group = group(perSecond(10));
    try (RedisBuckets other =
            RedisBuckets.builder().uri(RedisServer.shared().uri()).namespace("remote-it").build();
        RemoteStore listening = other.open(TimeSource.system())) {
      listening.subscribe(
          new RemoteListener() {
            @Override
            public void cooldown(GroupKey key, long generation, long micros) {
              heard.add(new Heard("cooldown " + generation, key, micros));
            }

            @Override
            public void moved(GroupKey key, long micros) {
              heard.add(new Heard("moved", key, micros));
            }

            @Override
            public void resubscribed() {}
          });
      RedisServer.await(
          "both listen",
          Duration.ofSeconds(10),
          () ->
              RedisServer.shared()
                  .call("PUBSUB", "NUMSUB", "pl1:remote-it:news")
                  .toString()
                  .contains(", 2]"));

      RemoteReply cooled =
          get(store.change(group, SetClock.NO_FLOOR, List.of(new Change.Cooldown(30_000_000))));
      assertThat(cooled.kind()).isEqualTo(Kind.CHANGED);
      assertThat(cooled.cooldownMicros()).isEqualTo(30_000_000);
      assertThat(heard.poll(5, TimeUnit.SECONDS))
          .isEqualTo(new Heard("cooldown 1", group.key(), 30_000_000));

      get(store.change(group, SetClock.NO_FLOOR, List.of(new Change.Cooldown(1_000_000))));
      RemoteReply behind = get(store.ask(ask(group, 1, 0, Long.MAX_VALUE)));
      assertThat(behind.starts()).containsExactly(cooled.now() + 30_000_000);

      get(store.change(group, SetClock.NO_FLOOR, List.of(new Change.Late(7_000))));
      assertThat(heard.poll(5, TimeUnit.SECONDS)).isEqualTo(new Heard("moved", group.key(), 7_000));

      RemoteReply cleared =
          get(store.change(group, SetClock.NO_FLOOR, List.of(new Change.ClearCooldown())));
      assertThat(cleared.cooldownMicros()).isZero();
      assertThat(cleared.generation()).isEqualTo(2);
      assertThat(heard.poll(5, TimeUnit.SECONDS))
          .isEqualTo(new Heard("cooldown 2", group.key(), 0));
      RemoteReply after = get(store.ask(ask(group, 1, 0, Long.MAX_VALUE)));
      assertThat(after.starts()[0] - after.now()).isLessThanOrEqualTo(107_000);
      assertThat(heard).isEmpty();
    }
  }

  @Test
  void workers_are_counted_and_ranked_in_a_fixed_order() {
    try (RedisBuckets fleet =
            RedisBuckets.builder().uri(RedisServer.shared().uri()).namespace("fleet-it").build();
        RemoteStore a = fleet.open(TimeSource.system());
        RemoteStore b = fleet.open(TimeSource.system());
        RemoteStore c = fleet.open(TimeSource.system())) {
      RedisServer.shared().call("DEL", "pl1:fleet-it:workers");
      List<RemoteStore> all = List.of(a, b, c);
      all.forEach(worker -> get(worker.heartbeat(true)));
      List<Workers> first = all.stream().map(worker -> get(worker.heartbeat(true))).toList();
      List<Workers> second = all.stream().map(worker -> get(worker.heartbeat(true))).toList();
      assertThat(first).isEqualTo(second);
      assertThat(first).extracting(Workers::count).containsOnly(3);
      assertThat(first).extracting(Workers::rank).containsExactlyInAnyOrder(0, 1, 2);
      assertThat(get(a.ask(ask(group(perSecond(1)), 1, 0, 0))).workers()).isEqualTo(3);
      get(b.heartbeat(false));
      assertThat(get(a.heartbeat(true)).count()).isEqualTo(2);
      get(b.heartbeat(true));
      assertThat(List.of(get(a.heartbeat(true)), get(b.heartbeat(true)), get(c.heartbeat(true))))
          .isEqualTo(first);
    }
  }

  @Test
  void state_that_was_lost_comes_back_from_the_floor() {
    Group group = group(perSecond(10));
    RemoteReply before = get(store.ask(ask(group, 20, 10_000_000, Long.MAX_VALUE)));
    RedisServer.shared().call("DEL", new KeyNames("remote-it").of(group.key()));
    LimitState.Arrival known = (LimitState.Arrival) before.state().limits().get(0);
    Floor floor =
        new Floor(
            before.generation(),
            new dev.paceline.limit.Snapshot(
                List.of(new LimitState.Arrival(known.tatMicros() - before.now() - 3_000, 0))),
            3_000);
    RemoteReply restored =
        get(
            store.ask(
                new RemoteAsk(
                    new Ask(group, new long[] {1}, 1, 0, Long.MAX_VALUE, 0), floor, List.of())));
    assertThat(restored.trouble()).isEqualTo(Trouble.STATE_LOST);
    assertThat(restored.starts()[0]).isEqualTo(restored.now() + 2_000_000 - 3_000);
  }
}
