package dev.paceline.redis;

import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.AsyncCloseable;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Makes connections of one client. Its methods block, and run on no thread of the client. */
sealed interface Connector {

  /** A connection with what sends commands on it. */
  record Connection(
      StatefulConnection<String, String> socket,
      RedisClusterAsyncCommands<String, String> commands) {

    /**
     * Whether a command fails at once while there is no connection. Otherwise it would wait, and be
     * executed long after its caller was answered.
     */
    boolean rejectsWhileDisconnected() {
      DisconnectedBehavior behavior = socket.getOptions().getDisconnectedBehavior();
      return behavior == DisconnectedBehavior.REJECT_COMMANDS
          || !socket.getOptions().isAutoReconnect();
    }
  }

  Connection connect();

  StatefulRedisPubSubConnection<String, String> connectPubSub();

  /**
   * Whether a command may be rejected because the node that it leads to is only being connected.
   */
  default boolean connectsLate() {
    return false;
  }

  /** Closes a connection in the background. */
  static void close(@Nullable AsyncCloseable connection) {
    closeThen(connection, () -> {});
  }

  /** Closes a connection in the background, if there is one, and goes on after that. */
  static void closeThen(@Nullable AsyncCloseable connection, Runnable then) {
    if (connection == null) {
      then.run();
    } else {
      var unused = connection.closeAsync().whenComplete((done, failure) -> then.run());
    }
  }

  /** Without credentials. */
  String describe();

  /** Ends the client if it was made here. */
  void shutdown();

  /** One server, or the primary that a Sentinel names at each connect. */
  record Single(RedisClient client, String describe, Runnable shutdownHook) implements Connector {
    @Override
    public Connection connect() {
      StatefulRedisConnection<String, String> socket = client.connect(StringCodec.ASCII);
      return new Connection(socket, socket.async());
    }

    @Override
    public StatefulRedisPubSubConnection<String, String> connectPubSub() {
      return client.connectPubSub(StringCodec.ASCII);
    }

    @Override
    public void shutdown() {
      shutdownHook.run();
    }
  }

  /** A cluster. */
  record Cluster(RedisClusterClient client, String describe, Runnable shutdownHook)
      implements Connector {
    @Override
    public Connection connect() {
      StatefulRedisClusterConnection<String, String> socket = client.connect(StringCodec.ASCII);
      for (RedisClusterNode node : socket.getPartitions()) {
        if (node.is(NodeFlag.UPSTREAM)) {
          warm(socket, node);
        }
      }
      return new Connection(socket, socket.async());
    }

    /** Otherwise the first command to each node is rejected, since it is not connected yet. */
    private static void warm(
        StatefulRedisClusterConnection<String, String> socket, RedisClusterNode node) {
      try {
        var unused = socket.getConnection(node.getNodeId());
      } catch (RedisException e) {
        LoggerFactory.getLogger(Connector.class).debug("no connection to {} yet", node, e);
      }
    }

    @Override
    public boolean connectsLate() {
      return true;
    }

    @Override
    public StatefulRedisPubSubConnection<String, String> connectPubSub() {
      return client.connectPubSub(StringCodec.ASCII);
    }

    @Override
    public void shutdown() {
      shutdownHook.run();
    }
  }
}
