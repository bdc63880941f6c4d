package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.redis.testing.FaultyProxy;
import dev.paceline.redis.testing.RawRedis;
import dev.paceline.redis.testing.RedisServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A fleet at full use whose Redis loses or bends the schedule: a schedule that is forgotten gives a
 * second burst, which is larger than one turn of each worker.
 */
class LostStateIT {
  private static final String JUNK = "j".repeat(100_000);

  private final RedisServer server = RedisServer.start();

  @AfterEach
  void stop() {
    server.close();
  }

  private LoadedFleet fleet() {
    return new LoadedFleet(redis -> redis.uri(server.uri()));
  }

  @Test // RS-05
  void flushed() throws Exception {
    try (LoadedFleet fleet = fleet()) {
      server.call("FLUSHALL");
      fleet.goOn(500);
      fleet.lossIsToldAndCounted();
      fleet.keptTheLimit();
    }
  }

  @Test // SC-01
  void scripts_flushed() throws Exception {
    try (LoadedFleet fleet = fleet()) {
      server.call("SCRIPT", "FLUSH");
      fleet.goOn(500);
      assertThat(fleet.lost()).isZero();
      fleet.keptTheLimit();
    }
  }

  @Test // RS-13
  void evicted_as_the_least_recently_used() throws Exception {
    try (LoadedFleet fleet = fleet();
        RawRedis other = new RawRedis(server.port())) {
      String memory = (String) other.call("INFO", "memory");
      long used = Long.parseLong(memory.replaceFirst("(?s).*used_memory:(\\d+).*", "$1"));
      other.call("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
      other.call("CONFIG", "SET", "maxmemory", "" + (used + 1_500_000));
      // Within a second all keys are used alike, so that one is as likely to go as another.
      for (int i = 0; i < 2_000 && fleet.lost() == 0; i++) {
        other.call("SET", "junk " + i, JUNK);
        TimeUnit.MILLISECONDS.sleep(1);
      }
      fleet.goOn(500);
      fleet.lossIsToldAndCounted();
      fleet.keptTheLimit();
    }
  }

  @Test // RS-05
  void killed_and_restarted_empty() throws Exception {
    try (LoadedFleet fleet = fleet()) {
      server.kill();
      fleet.goOn(700);
      server.restart();
      fleet.goOn(2_500);
      assertThat(fleet.workers).noneMatch(worker -> worker.health().degraded());
      fleet.keptTheLimit();
    }
  }

  @Test
  void replaced_by_a_replica_that_missed_the_last_writes() throws Exception {
    try (RedisServer replica = RedisServer.start();
        FaultyProxy proxy = FaultyProxy.before(server);
        LoadedFleet fleet = new LoadedFleet(redis -> redis.uri(proxy.uri()))) {
      replica.call("REPLICAOF", "127.0.0.1", "" + server.port());
      RedisServer.await(
          "the replica follows",
          Duration.ofSeconds(10),
          () -> ((String) replica.call("INFO", "replication")).contains("master_link_status:up"));
      replica.call("REPLICAOF", "NO", "ONE");
      fleet.goOn(300);
      proxy.moveTo(replica);
      fleet.goOn(500);
      fleet.lossIsToldAndCounted();
      fleet.keptTheLimit();
    }
  }

  /** Told as a step where it is one, and as a loss where what is stored seems to be long paid. */
  @ParameterizedTest
  @ValueSource(longs = {3_600, -3_600})
  void clock_stepped(long seconds) throws Exception {
    String clock =
        """
        local t = redis.call('TIME')
        local now = t[1] * 1000000 + t[2] + (redis.call('GET', 'step') or 0)
        local margin = 1000
        """;
    try (LoadedFleet fleet = new LoadedFleet(redis -> redis.uri(server.uri()).clock(clock))) {
      server.call("SET", "step", "" + seconds * 1_000_000);
      fleet.goOn(1_000);
      assertThat(fleet.lost() + fleet.repaired()).isPositive();
      fleet.keptTheLimit();
    }
  }
}
