package dev.paceline.redis.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A cluster of three primaries with all slots, each with a replica if wanted. */
public final class RedisCluster implements AutoCloseable {
  private static final int SLOTS = 16_384;
  private static final int PRIMARIES = 3;

  private final List<RedisServer> nodes = new ArrayList<>();

  private RedisCluster() {}

  private static final class Shared {
    static final RedisCluster CLUSTER = start();
  }

  /** One cluster, without replicas, for all tests of this process that leave it as it is. */
  public static RedisCluster shared() {
    return Shared.CLUSTER;
  }

  /** Three primaries. */
  public static RedisCluster start() {
    return start(PRIMARIES);
  }

  /** Three primaries, each with a replica. */
  public static RedisCluster startWithReplicas() {
    return start(2 * PRIMARIES);
  }

  private static RedisCluster start(int count) {
    RedisCluster cluster = new RedisCluster();
    for (int i = 0; i < count; i++) {
      cluster.nodes.add(
          RedisServer.start(
              "--cluster-enabled",
              "yes",
              "--cluster-node-timeout",
              "1000",
              "--repl-diskless-sync-delay",
              "0"));
    }
    cluster.join();
    return cluster;
  }

  private void join() {
    for (int i = 0; i < PRIMARIES; i++) {
      int from = i * SLOTS / PRIMARIES;
      int to = (i + 1) * SLOTS / PRIMARIES;
      List<String> command = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
      IntStream.range(from, to).forEach(slot -> command.add("" + slot));
      nodes.get(i).call(command.toArray(String[]::new));
      nodes.get(i).call("CLUSTER", "SET-CONFIG-EPOCH", "" + (i + 1));
    }
    for (RedisServer node : nodes) {
      node.call("CLUSTER", "MEET", "127.0.0.1", "" + nodes.get(0).port());
    }
    Duration patience = Duration.ofSeconds(30);
    RedisServer.await("every node knows every other", patience, () -> everywhere(this::knowsAll));
    for (int i = PRIMARIES; i < nodes.size(); i++) {
      nodes.get(i).call("CLUSTER", "REPLICATE", id(nodes.get(i - PRIMARIES)));
    }
    RedisServer.await("the cluster is ready", patience, () -> everywhere(this::isReady));
  }

  private boolean everywhere(java.util.function.Predicate<RedisServer> condition) {
    return nodes.stream().allMatch(condition);
  }

  private boolean knowsAll(RedisServer node) {
    String known = (String) node.call("CLUSTER", "NODES");
    return known.lines().filter(line -> !line.contains("handshake")).count() == nodes.size();
  }

  private boolean isReady(RedisServer node) {
    String replication = (String) node.call("INFO", "replication");
    boolean linked =
        nodes.indexOf(node) < PRIMARIES || replication.contains("master_link_status:up");
    return linked && ((String) node.call("CLUSTER", "INFO")).contains("cluster_state:ok");
  }

  private static String id(RedisServer node) {
    return (String) node.call("CLUSTER", "MYID");
  }

  /** The primaries' URIs, separated by commas. */
  public String uri() {
    return primaries().stream().map(RedisServer::uri).collect(Collectors.joining(","));
  }

  /** The servers that were started as primaries. */
  public List<RedisServer> primaries() {
    return List.copyOf(nodes.subList(0, PRIMARIES));
  }

  /** The replica that was started for a primary. */
  public RedisServer replicaOf(RedisServer primary) {
    return nodes.get(nodes.indexOf(primary) + PRIMARIES);
  }

  /** The slot of a key, as the cluster computes it. */
  public int slot(String key) {
    return ((Long) nodes.get(0).call("CLUSTER", "KEYSLOT", key)).intValue();
  }

  /** The primary that owned a slot when the cluster was started. */
  public RedisServer startedOwner(int slot) {
    for (int i = 0; i < PRIMARIES; i++) {
      if (slot < (i + 1) * SLOTS / PRIMARIES) {
        return nodes.get(i);
      }
    }
    throw new IllegalArgumentException("slot " + slot);
  }

  /** Puts a slot into migration: the source sends what it lacks to the target with ASK. */
  public void beginMigration(int slot, RedisServer from, RedisServer to) {
    to.call("CLUSTER", "SETSLOT", "" + slot, "IMPORTING", id(from));
    from.call("CLUSTER", "SETSLOT", "" + slot, "MIGRATING", id(to));
  }

  /** Moves one key of a slot in migration. */
  public void moveKey(String key, RedisServer from, RedisServer to) {
    from.call("MIGRATE", "127.0.0.1", "" + to.port(), key, "0", "5000");
  }

  /** Ends a migration: from now on the source answers MOVED. */
  public void endMigration(int slot, RedisServer to) {
    for (RedisServer node : primaries()) {
      node.call("CLUSTER", "SETSLOT", "" + slot, "NODE", id(to));
    }
  }

  @Override
  public void close() {
    nodes.forEach(RedisServer::close);
  }
}
