package dev.paceline.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A client of our own, set up so that no command is executed after its caller was answered. */
final class ClientSettings {
  /** Of what is in flight; past it the store is slower than its use, and calls go without. */
  private static final int QUEUE = 10_000;

  private ClientSettings() {}

  /** Parses the address, and makes a client that does not connect yet. */
  static Connector connector(String address, Duration connectTimeout, @Nullable SslOptions ssl) {
    List<RedisURI> uris = new ArrayList<>();
    for (String part : parts(address)) {
      RedisURI uri = parse(part);
      uri.setTimeout(connectTimeout);
      uri.setClientName("paceline");
      uri.getSentinels().forEach(sentinel -> sentinel.setTimeout(connectTimeout));
      uris.add(uri);
    }
    ClientResources resources =
        ClientResources.builder()
            .reconnectDelay(
                Delay.fullJitter(
                    Duration.ofMillis(5), Duration.ofMillis(500), 20, TimeUnit.MILLISECONDS))
            .build();
    String where = describe(uris);
    if (uris.size() == 1) {
      RedisClient client = RedisClient.create(resources, uris.get(0));
      client.setOptions(options(ClientOptions.builder(), connectTimeout, ssl).build());
      return new Connector.Single(client, where, () -> shutdown(client, resources));
    }
    RedisClusterClient client = RedisClusterClient.create(resources, uris);
    client.setOptions(clusterOptions(connectTimeout, ssl));
    return new Connector.Cluster(client, where, () -> shutdown(client, resources));
  }

  /** Nodes of a cluster are separated by commas; so are the hosts within one Sentinel's URI. */
  private static List<String> parts(String address) {
    return List.of(address.strip().split(",(?=\\s*redis[a-z-]*://)"));
  }

  private static RedisURI parse(String part) {
    String address = part.strip();
    try {
      if (address.contains("://")) {
        return RedisURI.create(address);
      }
    } catch (IllegalArgumentException e) {
      // Its message could hold the password.
    }
    throw new IllegalArgumentException(
        "uri is none: must be redis://host:port, rediss://host:port or"
            + " redis-sentinel://host:port#name, and several redis:// nodes, separated by commas,"
            + " for a cluster");
  }

  private static String describe(List<RedisURI> uris) {
    RedisURI first = uris.get(0);
    if (!first.getSentinels().isEmpty()) {
      return "Redis, primary "
          + first.getSentinelMasterId()
          + " of the Sentinel at "
          + first.getSentinels().stream()
              .map(ClientSettings::address)
              .collect(Collectors.joining(", "));
    }
    String addresses = uris.stream().map(ClientSettings::address).collect(Collectors.joining(", "));
    return (uris.size() == 1 ? "Redis at " : "Redis Cluster at ") + addresses;
  }

  private static String address(RedisURI uri) {
    return uri.getHost() + ":" + uri.getPort();
  }

  private static <T extends ClientOptions.Builder> T options(
      T builder, Duration connectTimeout, @Nullable SslOptions ssl) {
    builder
        .autoReconnect(true)
        .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
        .requestQueueSize(QUEUE)
        .maintNotificationsConfig(MaintNotificationsConfig.disabled())
        // Callers have a deadline of their own; here it would cost a timer a command.
        .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
        .socketOptions(
            SocketOptions.builder()
                .connectTimeout(connectTimeout)
                .tcpNoDelay(true)
                .keepAlive(
                    KeepAliveOptions.builder()
                        .enable()
                        .idle(Duration.ofSeconds(5))
                        .interval(Duration.ofSeconds(2))
                        .count(3)
                        .build())
                .build());
    if (ssl != null) {
      builder.sslOptions(ssl);
    }
    return builder;
  }

  private static ClusterClientOptions clusterOptions(
      Duration connectTimeout, @Nullable SslOptions ssl) {
    ClusterClientOptions.Builder builder = ClusterClientOptions.builder();
    builder.topologyRefreshOptions(
        ClusterTopologyRefreshOptions.builder()
            .enablePeriodicRefresh(Duration.ofSeconds(30))
            .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(2))
            .build());
    options(builder, connectTimeout, ssl);
    return builder.build();
  }

  private static void shutdown(AbstractRedisClient client, ClientResources resources) {
    var unused =
        client
            .shutdownAsync(0, 2, TimeUnit.SECONDS)
            .thenCompose(done -> ended(resources.shutdown(0, 2, TimeUnit.SECONDS)));
  }

  private static CompletableFuture<Boolean> ended(Future<Boolean> shutdown) {
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    shutdown.addListener(done -> ended.complete(done.isSuccess()));
    return ended;
  }
}
