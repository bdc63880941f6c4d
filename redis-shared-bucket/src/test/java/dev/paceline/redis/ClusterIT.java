package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.limit.Limit;
import dev.paceline.redis.testing.RedisCluster;
import dev.paceline.redis.testing.RedisServer;
import dev.paceline.store.Change;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.RemoteAsk;
import dev.paceline.store.RemoteReply;
import dev.paceline.store.RemoteReply.Kind;
import dev.paceline.store.RemoteStore;
import dev.paceline.store.RemoteStore.RemoteListener;
import dev.paceline.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ClusterIT {
  private static final Limit SLOW = Limit.of(1).per(Duration.ofSeconds(100));

  private static RedisCluster cluster;
  private static RemoteStore store;

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start();
    store = RedisBuckets.connect(cluster.uri()).open(TimeSource.system());
  }

  @AfterAll
  static void stop() {
    store.close();
    cluster.close();
  }

  private static Group group(String upstream, String owner, String rule) {
    return new Group(new GroupKey(upstream, owner, rule), List.of(SLOW));
  }

  private static RemoteAsk ask(Group group) {
    return RedisRemoteIT.ask(group, 1, 0, Long.MAX_VALUE);
  }

  /** SC-03: the groups of an owner are decided together whatever their names, on every node. */
  @Test
  void names_of_any_kind_stay_in_one_slot() {
    List<CompletionStage<List<RemoteReply>>> asked = new ArrayList<>();
    for (String upstream : KeyNamesTest.NASTY) {
      for (String owner : KeyNamesTest.NASTY) {
        asked.add(
            store.askAll(
                List.of(
                    ask(group(upstream, owner, "*")),
                    ask(group(upstream, owner, owner + upstream)))));
      }
    }
    assertThat(asked).hasSizeGreaterThan(1_000);
    for (CompletionStage<List<RemoteReply>> replies : asked) {
      assertThat(RedisRemoteIT.get(replies))
          .extracting(RemoteReply::kind)
          .containsExactly(Kind.RESERVED, Kind.RESERVED);
    }
    for (RedisServer node : cluster.primaries()) {
      assertThat(node.keys("pl1:*")).isNotEmpty();
    }
  }

  /** SC-05: each ask while the slot moves is charged once. */
  @Test
  void slot_that_moves_is_followed_and_charged_once() {
    Group group = group("moving", "owner", "*");
    String key = new KeyNames("").of(group.key());
    int slot = cluster.slot(key);
    RedisServer from = cluster.startedOwner(slot);
    RedisServer to = cluster.primaries().stream().filter(n -> n != from).findFirst().get();
    long first = RedisRemoteIT.get(store.ask(ask(group))).starts()[0];

    cluster.beginMigration(slot, from, to);
    assertThat(RedisRemoteIT.get(store.ask(ask(group))).starts()[0]).isEqualTo(first + 100_000_000);
    cluster.moveKey(key, from, to);
    assertThat(RedisRemoteIT.get(store.ask(ask(group))).starts()[0]).isEqualTo(first + 200_000_000);
    cluster.endMigration(slot, to);
    assertThat(RedisRemoteIT.get(store.ask(ask(group))).starts()[0]).isEqualTo(first + 300_000_000);
    assertThat(to.call("TTL", key)).isNotEqualTo(-1L);
  }

  @Test
  void slot_that_moves_under_load_gives_no_second_burst() throws Exception {
    int slot = cluster.slot(LoadedFleet.key());
    RedisServer from = cluster.startedOwner(slot);
    RedisServer to = cluster.primaries().stream().filter(n -> n != from).findFirst().get();
    try (LoadedFleet fleet = new LoadedFleet(redis -> redis.uri(cluster.uri()))) {
      cluster.beginMigration(slot, from, to);
      fleet.goOn(200);
      cluster.moveKey(LoadedFleet.key(), from, to);
      fleet.goOn(200);
      cluster.endMigration(slot, to);
      fleet.goOn(400);
      assertThat(to.keys(LoadedFleet.key())).hasSize(1);
      fleet.keptTheLimit();
    }
  }

  /** SC-01. */
  @Test
  void scripts_flushed_on_each_node_are_sent_again() {
    for (RedisServer node : cluster.primaries()) {
      node.call("SCRIPT", "FLUSH");
    }
    for (int i = 0; i < 30; i++) {
      RemoteReply reply = RedisRemoteIT.get(store.ask(ask(group("flushed", "owner " + i, "*"))));
      assertThat(reply.starts()).containsExactly(reply.now());
    }
  }

  @Test
  void cooldown_is_heard_through_any_node() throws Exception {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    RemoteStore other = RedisBuckets.connect(cluster.uri()).open(TimeSource.system());
    other.subscribe(
        new RemoteListener() {
          @Override
          public void cooldown(GroupKey group, long generation, long micros) {
            heard.add(group + " " + micros);
          }

          @Override
          public void moved(GroupKey group, long micros) {}

          @Override
          public void resubscribed() {}
        });
    try {
      // Subscribing goes on in the background, and a message before it is not heard.
      for (int i = 1; heard.isEmpty() && i <= 100; i++) {
        RedisRemoteIT.get(
            store.change(
                group("cool", "{b}", "*"),
                SetClock.NO_FLOOR,
                List.of(new Change.Cooldown(i * 1_000_000L))));
        String message = heard.poll(100, TimeUnit.MILLISECONDS);
        if (message != null) {
          heard.add(message);
        }
      }
      assertThat(heard.poll()).matches("cool/\\{b\\}/\\* \\d+000000");
    } finally {
      other.close();
    }
  }
}
