package dev.paceline.redis;

import dev.paceline.limit.Limit;
import dev.paceline.limit.Snapshot;
import dev.paceline.store.Ask;
import dev.paceline.store.Floor;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.RemoteAsk;
import dev.paceline.store.RemoteStore;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisLoadingException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Does at construction what will be done for every call, and says what to do if it fails. */
final class SetupCheck {
  private static final String UPSTREAM = "paceline";
  private static final String OWNER = "setup";

  private SetupCheck() {}

  /** What a user needs, without a namespace. */
  static final String RIGHTS =
      "~pl1:* &pl1:* +evalsha +eval +time +get +set +pttl +publish +subscribe +unsubscribe +ping"
          + " +zadd +zrem +zcard +zrank +zrange +zrangebyscore +zremrangebyscore +pexpire +hset"
          + " +hello +client";

  /** Whether a group is only there because a process checked what it may. */
  static boolean isOwn(GroupKey group) {
    return group.upstream().equals(UPSTREAM) && group.owner().equals(OWNER);
  }

  /** Takes a heartbeat and a permit. Blocks. */
  static void run(RemoteStore store, String worker) throws Exception {
    Group group =
        new Group(
            new GroupKey(UPSTREAM, OWNER, worker), List.of(Limit.of(1).per(Duration.ofMillis(1))));
    Floor nothing = new Floor(0, new Snapshot(List.of()));
    try {
      await(store.heartbeat(true));
      await(
          store.ask(
              new RemoteAsk(
                  new Ask(group, new long[] {1}, 1, 0, Long.MAX_VALUE, 0), nothing, List.of())));
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private static void await(java.util.concurrent.CompletionStage<?> stage)
      throws InterruptedException, ExecutionException, TimeoutException {
    stage.toCompletableFuture().get(5, TimeUnit.SECONDS);
  }

  /** Whether waiting may help, so that the program may start all the same. */
  static boolean isOutage(Throwable failure) {
    String words = words(failure);
    if (words.contains("WRONGPASS") || words.contains("NOAUTH") || isForbidden(words)) {
      return false;
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof RedisConnectionException
          || cause instanceof RedisCommandTimeoutException
          || cause instanceof RedisLoadingException
          || cause instanceof TimeoutException
          || cause instanceof IOException) {
        return true;
      }
    }
    return words.contains("OOM ") || words.contains("CLUSTERDOWN") || words.contains("MASTERDOWN");
  }

  /** One sentence: what is wrong with which Redis, and what to do. */
  static IllegalStateException explain(Throwable failure, String where) {
    return new IllegalStateException(sentence(words(failure), where, isOutage(failure)), failure);
  }

  private static String sentence(String words, String where, boolean outage) {
    String lower = words.toLowerCase(Locale.ROOT);
    if (words.contains("WRONGPASS")
        || words.contains("NOAUTH")
        || lower.contains("invalid password")
        || lower.contains("without any password")) {
      return where
          + " refuses the user or the password: give the right one in the URI"
          + " (redis://user:password@host) or to the client";
    }
    if (isForbidden(words)) {
      return where
          + " does not let this user do what is needed: allow it "
          + RIGHTS
          + " (Redis said: "
          + words
          + ")";
    }
    if (words.contains("MOVED") || words.contains("CROSSSLOT") || words.contains("ASK ")) {
      return where
          + " is part of a cluster: give several of its nodes, redis://a:6379,redis://b:6379,"
          + " or a RedisClusterClient";
    }
    if (lower.contains("cluster support disabled")
        || lower.contains("initial cluster partitions")) {
      return where
          + " gives no cluster topology: give a single redis:// URI if it is no cluster, or nodes"
          + " that can be reached";
    }
    if (words.contains("READONLY")) {
      return where
          + " is a replica, which takes no writes: give the primary, or redis-sentinel:// so that"
          + " it is asked for";
    }
    if (lower.contains("unknown command")) {
      return where
          + " has no Lua scripts, which the shared schedule needs: use Redis 6.2 or later, or"
          + " Valkey (it said: "
          + words
          + ")";
    }
    if (outage) {
      return where
          + " cannot be reached or does not answer: start it or correct its address, or set"
          + " expectedWorkers(n) so that this process may start without it (cause: "
          + words
          + ")";
    }
    return where + " cannot decide: " + words;
  }

  /** Within a script an older Redis says it in other words. */
  private static boolean isForbidden(String words) {
    return words.contains("NOPERM") || words.contains("The user executing the script can't");
  }

  private static String words(Throwable failure) {
    Throwable cause = failure;
    StringBuilder words = new StringBuilder(String.valueOf(cause.getMessage()));
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
      words.append(": ").append(cause.getMessage());
    }
    return words.toString();
  }
}
