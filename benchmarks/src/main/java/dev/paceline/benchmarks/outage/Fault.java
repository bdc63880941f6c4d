package dev.paceline.benchmarks.outage;

import dev.paceline.redis.testing.FaultyProxy;
import dev.paceline.redis.testing.RedisSentinel;
import dev.paceline.redis.testing.RedisServer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One way in which a Redis fails and comes back. */
enum Fault {
  KILLED_AND_RESTARTED_EMPTY,
  CLIENTS_PAUSED,
  PROCESS_STOPPED,
  BLACK_HOLE,
  REPLIES_100_MS_LATE,
  ONE_REPLY_IN_TEN_LOST,
  RUBBISH,
  OUT_OF_MEMORY,
  FAILED_OVER,
  FLAPPING;

  private static final int FLAPS = 15;

  /** What can be made to fail. */
  record Site(
      RedisServer server, FaultyProxy proxy, @Nullable RedisSentinel sentinel, Duration lasting) {

    private void maxMemory(String bytes) {
      server.call("CONFIG", "SET", "maxmemory-policy", "noeviction");
      server.call("CONFIG", "SET", "maxmemory", bytes);
    }

    private void failOver() {
      if (sentinel != null) {
        sentinel.failOver();
      }
    }
  }

  void begin(Site site) {
    switch (this) {
      case KILLED_AND_RESTARTED_EMPTY, FLAPPING -> site.server().kill();
      case CLIENTS_PAUSED -> {
        String millis = Long.toString(site.lasting().toMillis());
        site.server().call("CLIENT", "PAUSE", millis, "ALL");
      }
      case PROCESS_STOPPED -> site.server().pause();
      case BLACK_HOLE -> site.proxy().swallowRequests();
      case REPLIES_100_MS_LATE -> site.proxy().delayReplies(Duration.ofMillis(100));
      case ONE_REPLY_IN_TEN_LOST -> site.proxy().dropEveryReply(10);
      case RUBBISH -> site.proxy().answerRubbish();
      case OUT_OF_MEMORY -> site.maxMemory("1");
      case FAILED_OVER -> site.failOver();
    }
  }

  void end(Site site) {
    switch (this) {
      case KILLED_AND_RESTARTED_EMPTY, FLAPPING -> site.server().restart();
      case CLIENTS_PAUSED -> {}
      case PROCESS_STOPPED -> site.server().resume();
      case BLACK_HOLE, REPLIES_100_MS_LATE, ONE_REPLY_IN_TEN_LOST, RUBBISH -> site.proxy().pass();
      case OUT_OF_MEMORY -> site.maxMemory("0");
      case FAILED_OVER -> site.failOver();
    }
  }

  boolean needsSentinel() {
    return this == FAILED_OVER;
  }

  /** How many times it comes and goes. */
  int times() {
    return this == FLAPPING ? FLAPS : 1;
  }

  Duration lasting(Duration asked) {
    return this == FLAPPING ? asked.dividedBy(5) : asked;
  }
}
