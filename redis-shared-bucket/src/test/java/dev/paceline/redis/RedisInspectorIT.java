package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paceline.limit.Limit;
import dev.paceline.redis.testing.RedisServer;
import dev.paceline.store.Change;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.RemoteStore;
import dev.paceline.store.RemoteStore.RemoteListener;
import dev.paceline.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisInspectorIT {
  private static final GroupKey KEY = new GroupKey("api", "an owner", "POST /v1/**");
  private static int namespaces;

  private final String namespace = "inspector-" + ++namespaces;
  private RedisBuckets buckets;
  private RemoteStore store;
  private RedisInspector inspector;

  @BeforeEach
  void connect() {
    String uri = RedisServer.shared().uri();
    buckets =
        RedisBuckets.builder()
            .uri(uri)
            .namespace(namespace)
            .commandTimeout(Duration.ofSeconds(5))
            .build();
    store = buckets.open(TimeSource.system());
    inspector = RedisInspector.connect(uri, namespace);
  }

  @AfterEach
  void disconnect() {
    inspector.close();
    store.close();
  }

  private void ask(Group group, int permits) {
    RedisRemoteIT.get(store.ask(RedisRemoteIT.ask(group, permits, 60_000_000, Long.MAX_VALUE / 4)));
  }

  private SharedScope scope() {
    List<SharedScope> scopes =
        inspector.scopes().stream().filter(scope -> scope.key().equals(KEY)).toList();
    assertThat(scopes).hasSize(1);
    return scopes.get(0);
  }

  @Test
  void a_scope_is_seen_with_its_limits_and_what_is_reserved() {
    Limit limit = Limit.of(1).per(Duration.ofSeconds(10));
    ask(new Group(KEY, List.of(limit)), 3);
    RedisRemoteIT.get(store.heartbeat(true));

    SharedScope scope = scope();

    assertThat(scope.limits()).containsExactly(limit);
    assertThat(scope.remaining()).hasValue(0);
    assertThat(scope.reservedAhead()).isBetween(Duration.ofSeconds(25), Duration.ofSeconds(30));
    assertThat(scope.expiresIn()).isBetween(Duration.ofSeconds(25), Duration.ofSeconds(31));
    assertThat(scope.cooldown()).isZero();
    assertThat(inspector.workers())
        .isNotEmpty()
        .allSatisfy(worker -> assertThat(worker.seenAgo()).isLessThan(Duration.ofSeconds(5)));
  }

  @Test
  void what_is_left_of_a_window_is_seen() {
    Limit hourly = Limit.of(1_000).per(Duration.ofDays(1)).fixedWindow();
    ask(new Group(KEY, List.of(hourly)), 7);
    RedisRemoteIT.get(store.heartbeat(true));

    assertThat(scope().remaining()).hasValue(993);
    assertThat(scope().reservedAhead()).isZero();
  }

  @Test
  void before_a_worker_told_its_limits_the_pace_is_known_all_the_same() {
    ask(new Group(KEY, List.of(Limit.of(1).per(Duration.ofSeconds(10)))), 1);

    SharedScope scope = scope();

    assertThat(scope.limits()).isEmpty();
    assertThat(scope.remaining()).isEmpty();
    assertThat(scope.reservedAhead()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
  }

  @Test
  void a_cooldown_is_seen_and_ended_for_every_worker() throws Exception {
    Group group = new Group(KEY, List.of(Limit.of(10).per(Duration.ofSeconds(1)).burst(4)));
    RedisRemoteIT.get(
        store.change(group, SetClock.NO_FLOOR, List.of(new Change.Cooldown(60_000_000))));
    assertThat(scope().cooldown()).isBetween(Duration.ofSeconds(50), Duration.ofSeconds(60));
    BlockingQueue<Long> heard = new LinkedBlockingQueue<>();
    store.subscribe(
        new RemoteListener() {
          @Override
          public void cooldown(GroupKey key, long generation, long micros) {
            heard.add(micros);
          }

          @Override
          public void moved(GroupKey key, long micros) {}

          @Override
          public void resubscribed() {}
        });

    assertThat(inspector.clearCooldown(KEY)).isTrue();

    assertThat(scope().cooldown()).isZero();
    assertThat(scope().reservedAhead()).isLessThan(Duration.ofSeconds(1));
    assertThat(scope().generation()).isGreaterThan(1);
    assertThat(heard.poll(10, TimeUnit.SECONDS)).isZero();
  }

  @Test
  void foreign_keys_are_left_out() {
    RedisServer.shared().call("SET", "pl1:" + namespace + ":{a:b}:junk", "junk", "PX", "60000");
    RedisServer.shared().call("HSET", "pl1:" + namespace + ":{a:b}:hash", "a", "b");
    RedisServer.shared().call("PEXPIRE", "pl1:" + namespace + ":{a:b}:hash", "60000");

    assertThat(inspector.scopes()).isEmpty();
    assertThat(inspector.clearCooldown(new GroupKey("a", "b", "junk"))).isFalse();
    assertThat(inspector.clearCooldown(new GroupKey("a", "b", "nothing"))).isFalse();
  }

  @Test
  void the_limits_expire_with_the_workers() {
    ask(new Group(KEY, List.of(Limit.of(1).per(Duration.ofSeconds(10)))), 1);
    RedisRemoteIT.get(store.heartbeat(true));

    long ttl =
        (Long)
            RedisServer.shared()
                .call("PTTL", "pl1:" + namespace + ":rules:{pl1:" + namespace + ":workers}");

    assertThat(ttl).isBetween(10_000L, 18_000L);
  }

  @Test
  void a_redis_that_is_not_there_is_said() {
    assertThatThrownBy(() -> RedisInspector.connect("redis://127.0.0.1:1"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("127.0.0.1:1");
  }
}
