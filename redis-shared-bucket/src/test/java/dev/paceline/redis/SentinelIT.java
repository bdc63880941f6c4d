package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.limit.Limit;
import dev.paceline.redis.testing.RedisSentinel;
import dev.paceline.redis.testing.RedisServer;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.RemoteAsk;
import dev.paceline.store.RemoteReply;
import dev.paceline.store.RemoteStore;
import dev.paceline.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SentinelIT {
  private static RedisSentinel sentinel;
  private static RemoteStore store;

  private static final RemoteAsk ASK =
      RedisRemoteIT.ask(
          new Group(
              new GroupKey("sentinel", "*", "*"),
              List.of(Limit.of(1).per(Duration.ofSeconds(100)))),
          1,
          0,
          Long.MAX_VALUE);

  @BeforeAll
  static void start() {
    sentinel = RedisSentinel.start();
    store = RedisBuckets.connect(sentinel.uri()).open(TimeSource.system());
  }

  @AfterAll
  static void stop() {
    store.close();
    sentinel.close();
  }

  private static boolean granted() {
    try {
      RemoteReply reply = store.ask(ASK).toCompletableFuture().get(5, TimeUnit.SECONDS);
      return reply.starts().length == 1;
    } catch (java.util.concurrent.ExecutionException e) {
      return false;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test // RO-05
  void new_primary_is_used_after_a_fail_over_and_after_a_death() {
    assertThat(granted()).isTrue();
    RedisServer first = sentinel.primary();
    sentinel.failOver();
    RedisServer.await("a permit of the new primary", Duration.ofSeconds(10), SentinelIT::granted);
    assertThat(sentinel.primary().keys("pl1:{sentinel*")).hasSize(1);

    RedisServer second = sentinel.primary();
    assertThat(second).isNotSameAs(first);
    RedisServer.await(
        "the old primary follows",
        Duration.ofSeconds(20),
        () -> ((String) first.call("INFO", "replication")).contains("master_link_status:up"));
    second.kill();
    sentinel.awaitPrimaryOtherThan(second);
    RedisServer.await("a permit of the first again", Duration.ofSeconds(20), SentinelIT::granted);
  }

  /**
   * RO-05: a server that was demoted behind the client's back keeps the connection, and answers
   * READONLY.
   */
  @Test
  void connection_to_a_replica_is_replaced() {
    try (RedisServer server = RedisServer.start();
        RedisBuckets buckets = RedisBuckets.connect(server.uri());
        RemoteStore single = buckets.open(TimeSource.system())) {
      server.call("REPLICAOF", "127.0.0.1", "1");
      long before = connections(server);
      for (int i = 0; i < 3; i++) {
        assertThat(single.ask(ASK).toCompletableFuture())
            .failsWithin(Duration.ofSeconds(5))
            .withThrowableThat()
            .havingCause()
            .withMessageContaining("READONLY");
      }
      RedisServer.await(
          "a new connection", Duration.ofSeconds(10), () -> connections(server) > before + 2);
      long begin = connections(server);
      for (long end = System.nanoTime() + 1_000_000_000L; System.nanoTime() - end < 0; ) {
        assertThat(single.ask(ASK).toCompletableFuture()).failsWithin(Duration.ofSeconds(5));
      }
      assertThat(connections(server) - begin - 1).as("within a second").isLessThanOrEqualTo(10);
      server.call("REPLICAOF", "NO", "ONE");
      RedisServer.await(
          "a permit",
          Duration.ofSeconds(10),
          () -> {
            try {
              return single.ask(ASK).toCompletableFuture().get(5, TimeUnit.SECONDS).kind()
                  == RemoteReply.Kind.RESERVED;
            } catch (java.util.concurrent.ExecutionException e) {
              return false;
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          });
    }
  }

  /** All that were ever accepted; asking takes one more. */
  private static long connections(RedisServer server) {
    String stats = (String) server.call("INFO", "stats");
    return Long.parseLong(stats.replaceFirst("(?s).*total_connections_received:(\\d+).*", "$1"));
  }
}
