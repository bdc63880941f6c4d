package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paceline.limit.Limit;
import dev.paceline.redis.testing.RedisCluster;
import dev.paceline.redis.testing.RedisServer;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.RemoteAsk;
import dev.paceline.store.RemoteLeases;
import dev.paceline.store.RemoteStore;
import dev.paceline.time.TimeSource;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot work fails when it is built, and says what to do. */
class SetupIT {
  private static final RemoteAsk ASK =
      RedisRemoteIT.ask(
          new Group(
              new GroupKey("setup", "*", "*"), List.of(Limit.of(1).per(Duration.ofSeconds(1)))),
          1,
          0,
          Long.MAX_VALUE);

  @ParameterizedTest
  @ValueSource(
      strings = {"", "localhost", "http://localhost", "redis://", "redis-sentinel://h:1", "a,b"})
  void address_that_is_none_is_refused(String uri) {
    assertThatThrownBy(() -> RedisBuckets.connect(uri))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("redis://host:port");
  }

  @Test
  void values_out_of_range_are_refused() {
    RedisBuckets.Builder builder = RedisBuckets.builder();
    assertThatThrownBy(() -> builder.commandTimeout(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("commandTimeout=PT0S: must be from 1 ms to 10 s");
    assertThatThrownBy(() -> builder.expectedWorkers(0)).hasMessageContaining("at least 1");
    assertThatThrownBy(() -> builder.namespace(" ")).hasMessageContaining("namespace");
    assertThatThrownBy(builder::build).hasMessageContaining("exactly one of uri");
  }

  @Test
  void unreachable_server_fails_unless_workers_are_expected() {
    RedisServer server = RedisServer.start();
    server.kill();
    assertThatThrownBy(() -> RedisBuckets.connect("redis://user:secret@127.0.0.1:" + server.port()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Redis at 127.0.0.1:" + server.port() + " cannot be reached")
        .hasMessageContaining("expectedWorkers(n)")
        .hasMessageNotContaining("secret");
    RedisBuckets buckets = RedisBuckets.builder().uri(server.uri()).expectedWorkers(3).build();
    assertThat(buckets.expectedWorkers()).hasValue(3);
    try (RemoteStore store = buckets.open(TimeSource.system())) {
      assertThat(store.ask(ASK).toCompletableFuture()).isCompletedExceptionally();
      server.restart();
      RedisServer.await("a permit", Duration.ofSeconds(20), () -> granted(store));
    } finally {
      server.close();
    }
  }

  private static boolean granted(RemoteStore store) {
    try {
      store.ask(ASK).toCompletableFuture().get(5, TimeUnit.SECONDS);
      return true;
    } catch (java.util.concurrent.ExecutionException e) {
      return false;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void user_needs_the_right_password_and_rights() {
    try (RedisServer server = RedisServer.start("--requirepass", "secret")) {
      for (String credentials : List.of("", "user:wrong@", ":wrong@")) {
        assertThatThrownBy(
                () -> RedisBuckets.connect("redis://" + credentials + "127.0.0.1:" + server.port()))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("refuses the user or the password")
            .hasMessageNotContaining("wrong@");
      }
      RedisBuckets.connect("redis://:secret@127.0.0.1:" + server.port()).close();
      try (RedisClient admin = RedisClient.create("redis://:secret@127.0.0.1:" + server.port())) {
        var redis = admin.connect().sync();
        String uri = "redis://worker:pw@127.0.0.1:" + server.port();
        String[] rights = SetupCheck.RIGHTS.split(" ", -1);
        for (String missing : List.of("+evalsha", "+set", "+subscribe", "+zadd", "")) {
          redis.dispatch(
              io.lettuce.core.protocol.CommandType.ACL,
              new io.lettuce.core.output.StatusOutput<>(io.lettuce.core.codec.StringCodec.ASCII),
              rule(missing, rights));
          if (missing.isEmpty()) {
            RedisBuckets.connect(uri).close();
            useAll(uri);
            assertThatThrownBy(() -> inspect(uri)).hasStackTraceContaining("NOPERM");
          } else {
            assertThatThrownBy(() -> RedisBuckets.connect(uri))
                .as("without %s", missing)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("does not let this user do what is needed");
          }
        }
        redis.dispatch(
            io.lettuce.core.protocol.CommandType.ACL,
            new io.lettuce.core.output.StatusOutput<>(io.lettuce.core.codec.StringCodec.ASCII),
            rule("", (SetupCheck.RIGHTS + " +scan +type +hget").split(" ", -1)));
        inspect(uri);
      }
    }
  }

  /** What the page on operations says of {@code paceline inspect}. */
  private static void inspect(String uri) {
    try (RedisInspector inspector = RedisInspector.connect(uri)) {
      assertThat(inspector.scopes()).isNotEmpty();
      assertThat(inspector.clearCooldown(ASK.ask().group().key())).isTrue();
    }
  }

  /** Every script, as a user who has no other right. */
  private static void useAll(String uri) {
    RemoteStore store = RedisBuckets.connect(uri).open(TimeSource.system());
    GroupKey key = new GroupKey("rights", "*", "*");
    RemoteLeases leases = store.leases().orElseThrow();
    assertThat(RedisRemoteIT.get(store.heartbeat(true)).count()).isPositive();
    assertThat(RedisRemoteIT.get(store.ask(ASK))).isNotNull();
    RemoteLeases.Lease lease = RedisRemoteIT.get(leases.take(key, 1)).orElseThrow();
    assertThat(RedisRemoteIT.get(leases.take(key, 1))).isEmpty();
    RedisRemoteIT.get(leases.renew());
    RedisRemoteIT.get(leases.stopWaiting(key, 1));
    RedisRemoteIT.get(leases.giveBack(lease));
    store.close();
  }

  @Test
  void the_rights_that_a_message_names_are_those_of_the_page_on_operations() throws IOException {
    String page = Files.readString(Path.of("../docs/operations.md")).replaceAll("\\s+", " ");
    for (String right : SetupCheck.RIGHTS.split(" ", -1)) {
      assertThat(page).contains(right);
    }
  }

  private static io.lettuce.core.protocol.CommandArgs<String, String> rule(
      String without, String[] rights) {
    var args =
        new io.lettuce.core.protocol.CommandArgs<>(io.lettuce.core.codec.StringCodec.ASCII)
            .add("SETUSER")
            .add("worker")
            .add("reset")
            .add("resetchannels")
            .add("on")
            .add(">pw");
    for (String right : rights) {
      if (!right.equals(without)) {
        args.add(right);
      }
    }
    return args;
  }

  @Test
  void node_of_a_cluster_wants_the_cluster_form() {
    String node = RedisCluster.shared().primaries().get(0).uri();
    assertThatThrownBy(() -> RedisBuckets.connect(node))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is part of a cluster");
  }

  @Test
  void single_server_is_no_cluster() {
    String uri = RedisServer.shared().uri();
    assertThatThrownBy(() -> RedisBuckets.connect(uri + "," + uri))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("gives no cluster topology");
  }

  @Test
  void replica_is_refused() {
    try (RedisServer server = RedisServer.start()) {
      server.call("REPLICAOF", "127.0.0.1", "1");
      assertThatThrownBy(() -> RedisBuckets.connect(server.uri()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is a replica");
    }
  }

  @Test
  void server_without_scripts_is_refused() {
    try (RedisServer server =
        RedisServer.start("--rename-command", "EVALSHA", "", "--rename-command", "EVAL", "")) {
      assertThatThrownBy(() -> RedisBuckets.connect(server.uri()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("has no Lua scripts");
    }
  }

  @Test
  void given_client_must_reject_while_disconnected_and_stays_open() {
    try (RedisClient client = RedisClient.create(RedisServer.shared().uri())) {
      assertThatThrownBy(() -> RedisBuckets.builder().client(client).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("disconnectedBehavior(REJECT_COMMANDS)");
      client.setOptions(
          ClientOptions.builder()
              .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
              .build());
      RemoteStore store = RedisBuckets.builder().client(client).build().open(TimeSource.system());
      assertThat(granted(store)).isTrue();
      store.close();
      assertThat(client.connect().sync().ping()).isEqualTo("PONG");
    }
  }
}
