package dev.paceline.redis.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The servers and faults that other tests rely on are what they say. */
class TestServersIT {

  @Test
  void server_is_killed_restarted_empty_paused_and_resumed() {
    try (RedisServer server = RedisServer.start()) {
      server.call("SET", "k", "v");
      server.kill();
      assertThatThrownBy(() -> server.call("PING")).isInstanceOf(UncheckedIOException.class);

      server.restart();
      assertThat(server.call("GET", "k")).isNull();

      server.call("SET", "k", "v");
      server.pause();
      RedisServer.await(
          "the server is stopped", Duration.ofSeconds(5), () -> server.processState() == 'T');
      server.resume();
      assertThat(server.keys("*")).containsExactly("k");
    }
  }

  @Test
  void cluster_has_all_slots_and_moves_one() {
    try (RedisCluster cluster = RedisCluster.start()) {
      int slot = cluster.slot("k");
      RedisServer from = cluster.startedOwner(slot);
      RedisServer to = cluster.primaries().stream().filter(n -> n != from).findFirst().get();
      from.call("SET", "k", "v");

      cluster.beginMigration(slot, from, to);
      cluster.moveKey("k", from, to);
      assertThatThrownBy(() -> from.call("GET", "k"))
          .hasMessage("ASK %d 127.0.0.1:%d", slot, to.port());

      cluster.endMigration(slot, to);
      assertThatThrownBy(() -> from.call("GET", "k")).hasMessageStartingWith("MOVED " + slot);
      assertThat(to.call("GET", "k")).isEqualTo("v");
    }
  }

  @Test
  void sentinel_replaces_a_primary_that_died() {
    try (RedisSentinel sentinel = RedisSentinel.start()) {
      RedisServer old = sentinel.primary();
      old.call("SET", "k", "v");
      RedisServer replica = sentinel.replica();
      RedisServer.await(
          "the write is replicated",
          Duration.ofSeconds(5),
          () -> "v".equals(replica.call("GET", "k")));
      old.kill();
      sentinel.awaitPrimaryOtherThan(old);

      assertThat(sentinel.primary()).isSameAs(replica);
      assertThat(replica.call("GET", "k")).isEqualTo("v");
    }
  }

  @Test
  void proxy_does_each_fault() {
    RedisServer server = RedisServer.shared();
    try (FaultyProxy proxy = FaultyProxy.before(server);
        RawRedis redis = new RawRedis(proxy.port())) {
      assertThat(redis.call("PING")).isEqualTo("PONG");

      proxy.delayReplies(Duration.ofMillis(50));
      long sent = System.nanoTime();
      assertThat(redis.call("ECHO", "a")).isEqualTo("a");
      assertThat(System.nanoTime() - sent).isGreaterThan(50_000_000);

      proxy.pass();
      proxy.answer(":7\r\n");
      assertThat(redis.call("PING")).isEqualTo(7L);

      proxy.dropNextReply();
      server.call("SET", "proxy-counter", "0");
      redis.send("INCR", "proxy-counter");
      redis.send("ECHO", "late");
      assertThat(redis.read()).isEqualTo("late");
      assertThat(server.call("GET", "proxy-counter")).isEqualTo("1");

      proxy.swallowRequests();
      long before = proxy.requests();
      redis.send("INCR", "proxy-counter");
      RedisServer.await(
          "the request arrived", Duration.ofSeconds(5), () -> proxy.requests() > before);
      assertThat(server.call("GETDEL", "proxy-counter")).isEqualTo("1");

      proxy.refuse();
      assertThatThrownBy(redis::read).isInstanceOf(UncheckedIOException.class);
      proxy.pass();
      assertThat(RawRedis.once(proxy.port(), "PING")).isEqualTo("PONG");
    }
  }
}
