package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.redis.testing.RedisServer;
import dev.paceline.store.GroupKey;
import dev.paceline.store.RemoteLeases;
import dev.paceline.store.RemoteLeases.Lease;
import dev.paceline.store.RemoteStore;
import dev.paceline.time.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LeasesIT {
  private static RedisServer server;
  private static RemoteStore first;
  private static RemoteStore second;
  private static RemoteStore third;
  private static int names;

  private final GroupKey group = new GroupKey("leases", "{o}", "rule " + ++names);

  @BeforeAll
  static void start() {
    server = RedisServer.start();
    first = RedisBuckets.connect(server.uri()).open(TimeSource.system());
    second = RedisBuckets.connect(server.uri()).open(TimeSource.system());
    third = RedisBuckets.connect(server.uri()).open(TimeSource.system());
    RedisServer.await(
        "all listen",
        Duration.ofSeconds(10),
        () -> server.call("PUBSUB", "NUMSUB", "pl1:news").toString().contains(", 3]"));
  }

  @AfterAll
  static void stop() {
    first.close();
    second.close();
    third.close();
    server.close();
  }

  private Optional<Lease> take(RemoteStore worker, int most) {
    return RedisRemoteIT.get(worker.leases().orElseThrow().take(group, most));
  }

  private static BlockingQueue<Lease> handed(RemoteStore to) {
    BlockingQueue<Lease> queue = new LinkedBlockingQueue<>();
    to.leases().orElseThrow().listen(queue::add);
    return queue;
  }

  private long taken() {
    return (Long) server.call("ZCARD", new KeyNames("").inFlight(group));
  }

  @Test
  void no_more_slots_are_taken_than_there_are() {
    assertThat(take(first, 2)).isPresent();
    Optional<Lease> second = take(LeasesIT.second, 2);
    assertThat(second).isPresent();
    assertThat(take(third, 2)).isEmpty();
    assertThat(take(first, 2)).isEmpty();
    assertThat(taken()).isEqualTo(2);
  }

  @Test
  void slot_given_back_is_handed_to_whoever_waits_longest() throws Exception {
    BlockingQueue<Lease> toSecond = handed(second);
    BlockingQueue<Lease> toThird = handed(third);
    Lease lease = take(first, 1).orElseThrow();
    assertThat(take(second, 1)).isEmpty();
    assertThat(take(third, 1)).isEmpty();
    // Asking again keeps the place.
    assertThat(take(second, 1)).isEmpty();

    RedisRemoteIT.get(first.leases().orElseThrow().giveBack(lease));
    Lease next = toSecond.poll(5, TimeUnit.SECONDS);
    assertThat(next.group()).isEqualTo(group);
    assertThat(taken()).isOne();
    // Nobody passes those who wait.
    assertThat(take(first, 1)).isEmpty();

    RedisRemoteIT.get(second.leases().orElseThrow().giveBack(next));
    Lease last = toThird.poll(5, TimeUnit.SECONDS);
    RedisRemoteIT.get(first.leases().orElseThrow().stopWaiting(group, 1));
    RedisRemoteIT.get(third.leases().orElseThrow().giveBack(last));
    assertThat(taken()).isZero();
    assertThat(toSecond).isEmpty();
  }

  @Test
  void slot_handed_to_nobody_is_given_back() {
    RemoteLeases waiting = second.leases().orElseThrow();
    handed(second);
    Lease lease = take(first, 1).orElseThrow();
    assertThat(take(second, 1)).isEmpty();
    // The worker forgets that it waits, as it does when its caller was handed something else.
    RedisRemoteIT.get(waiting.stopWaiting(new GroupKey("leases", "{o}", "another"), 1));
    ((RedisLeases) waiting).forget(group);
    RedisRemoteIT.get(first.leases().orElseThrow().giveBack(lease));
    RedisServer.await("the slot is free", Duration.ofSeconds(3), () -> taken() == 0);
  }

  @Test
  void lease_of_a_dead_worker_ends_and_that_of_a_live_one_stays() {
    try (RemoteStore dying = RedisBuckets.connect(server.uri()).open(TimeSource.system())) {
      assertThat(take(dying, 2)).isPresent();
    }
    BlockingQueue<Lease> toSecond = handed(second);
    assertThat(take(first, 2)).isPresent();
    assertThat(take(second, 2)).isEmpty();
    RedisServer.await(
        "the dead worker's slot",
        Duration.ofSeconds(10),
        () -> {
          RedisRemoteIT.get(first.leases().orElseThrow().renew());
          return !toSecond.isEmpty() || take(second, 2).isPresent();
        });
    assertThat(taken()).isEqualTo(2);
    assertThat(server.call("PTTL", new KeyNames("").inFlight(group))).isNotEqualTo(-1L);
  }
}
