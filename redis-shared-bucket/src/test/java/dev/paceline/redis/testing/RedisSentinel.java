package dev.paceline.redis.testing;

import java.time.Duration;
import java.util.List;

/**
 * A primary with a replica, and a Sentinel that replaces the primary half a second after it died.
 */
public final class RedisSentinel implements AutoCloseable {
  /** The name under which the Sentinel watches the primary. */
  public static final String NAME = "main";

  private final RedisServer first;
  private final RedisServer second;
  private final RedisServer sentinel;

  private RedisSentinel(RedisServer first, RedisServer second, RedisServer sentinel) {
    this.first = first;
    this.second = second;
    this.sentinel = sentinel;
  }

  /** Starts all three, and waits until the replica follows and the Sentinel knows it. */
  public static RedisSentinel start() {
    RedisServer first = RedisServer.start("--repl-diskless-sync-delay", "0");
    RedisServer second =
        RedisServer.start(
            List.of("replicaof 127.0.0.1 " + first.port()), "--repl-diskless-sync-delay", "0");
    RedisServer sentinel =
        RedisServer.start(
            List.of(
                "sentinel monitor " + NAME + " 127.0.0.1 " + first.port() + " 1",
                "sentinel down-after-milliseconds " + NAME + " 500",
                "sentinel failover-timeout " + NAME + " 3000"),
            "--sentinel");
    RedisSentinel all = new RedisSentinel(first, second, sentinel);
    RedisServer.await("the replica follows", Duration.ofSeconds(20), all::replicaFollows);
    RedisServer.await("the Sentinel knows the replica", Duration.ofSeconds(20), all::replicaKnown);
    return all;
  }

  private boolean replicaFollows() {
    return ((String) second.call("INFO", "replication")).contains("master_link_status:up");
  }

  private boolean replicaKnown() {
    List<?> replicas = (List<?>) sentinel.call("SENTINEL", "replicas", NAME);
    return replicas.size() == 1 && replicas.toString().contains("127.0.0.1:" + second.port());
  }

  /** {@code redis-sentinel://127.0.0.1:port#main}. */
  public String uri() {
    return "redis-sentinel://127.0.0.1:" + sentinel.port() + "#" + NAME;
  }

  /** The server that the Sentinel names as the primary. */
  public RedisServer primary() {
    List<?> address = (List<?>) sentinel.call("SENTINEL", "get-master-addr-by-name", NAME);
    return address.get(1).equals("" + first.port()) ? first : second;
  }

  /** The other server. */
  public RedisServer replica() {
    return primary() == first ? second : first;
  }

  /** Orders a fail-over while the primary lives, and waits until it has become a replica. */
  public void failOver() {
    RedisServer old = primary();
    sentinel.call("SENTINEL", "failover", NAME);
    awaitPrimaryOtherThan(old);
    RedisServer.await(
        "the old primary refuses writes",
        Duration.ofSeconds(20),
        () -> ((String) old.call("INFO", "replication")).contains("role:slave"));
  }

  /** Waits until another server than this is the primary and takes writes. */
  public void awaitPrimaryOtherThan(RedisServer old) {
    RedisServer.await(
        "another primary",
        Duration.ofSeconds(20),
        () ->
            primary() != old
                && ((String) primary().call("INFO", "replication")).contains("role:master"));
  }

  @Override
  public void close() {
    sentinel.close();
    second.close();
    first.close();
  }
}
