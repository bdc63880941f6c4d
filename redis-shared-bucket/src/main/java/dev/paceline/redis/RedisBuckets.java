package dev.paceline.redis;

import dev.paceline.store.RemoteStore;
import dev.paceline.store.RemoteStoreSource;
import dev.paceline.time.TimeSource;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SslOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One pace for a fleet, through Redis: hand it to the builder of a Paceline. Redis 6.2 or later, or
 * Valkey; a single server, a primary that a Sentinel names, or a cluster.
 *
 * <pre>{@code
 * RedisBuckets.connect("rediss://user:password@redis.internal:6379")
 * RedisBuckets.connect("redis-sentinel://a:26379,b:26379#primary")
 * RedisBuckets.connect("redis://a:6379,redis://b:6379")                       // a cluster
 * RedisBuckets.builder().client(redisClient).namespace("staging").build()
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class RedisBuckets implements RemoteStoreSource, AutoCloseable {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Connector connector;
  private final KeyNames names;
  private final Duration commandTimeout;
  private final OptionalInt expectedWorkers;
  private final Scripts scripts;
  private final Link link;
  private final AtomicInteger open = new AtomicInteger();

  /** The subscription of the first store that is opened, made and checked with the rest. */
  private final AtomicReference<@Nullable News> ready = new AtomicReference<>();

  private final AtomicBoolean closed = new AtomicBoolean();

  private RedisBuckets(Builder builder, Connector connector) {
    this.connector = connector;
    this.names = new KeyNames(builder.namespace);
    this.commandTimeout = builder.commandTimeout;
    this.expectedWorkers = builder.expectedWorkers;
    this.scripts = builder.scripts;
    this.link = new Link(connector, TimeSource.system());
  }

  /**
   * Connects and checks that everything needed is allowed; blocks until that is known.
   *
   * @param uri {@code redis://}, {@code rediss://} (TLS) or {@code redis-sentinel://...#name}, with
   *     user and password where needed; several {@code redis://} nodes, separated by commas, are a
   *     cluster
   * @throws IllegalArgumentException if it is no such URI
   * @throws IllegalStateException if that Redis cannot be reached or used; the message says what to
   *     do
   */
  public static RedisBuckets connect(String uri) {
    return builder().uri(uri).build();
  }

  /** Begins a configuration. */
  public static Builder builder() {
    return new Builder();
  }

  private void start() {
    News news = newNews();
    try {
      link.connectNow();
      if (!link.rejectsWhileDisconnected()) {
        throw new IllegalArgumentException(
            "client queues commands while disconnected, which would then be executed long after"
                + " their callers were answered: give it ClientOptions with"
                + " disconnectedBehavior(REJECT_COMMANDS)");
      }
      news.subscribeNow();
      SetupCheck.run(store(news, TimeSource.system(), () -> {}), news.worker());
      ready.set(news);
    } catch (IllegalArgumentException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw SetupCheck.explain(e, describe());
    } catch (Exception e) {
      if (expectedWorkers.isEmpty() || !SetupCheck.isOutage(e)) {
        throw SetupCheck.explain(e, describe());
      }
      link.connectLater();
    } finally {
      if (ready.get() != news) {
        news.close();
      }
    }
  }

  private RedisRemote store(News news, TimeSource time, Runnable onClose) {
    return new RedisRemote(link, news, names, news.worker(), describe(), time, scripts, onClose);
  }

  private News newNews() {
    String worker = new BigInteger(62, RANDOM).toString(36);
    return new News(connector, names, worker, TimeSource.system());
  }

  /** {@inheritDoc} */
  @Override
  public RemoteStore open(TimeSource time) {
    open.incrementAndGet();
    News news = ready.getAndSet(null);
    if (news != null) {
      return store(news, time, this::closeAfterLast);
    }
    News another = newNews();
    RedisRemote store = store(another, time, this::closeAfterLast);
    another.subscribeLater();
    return store;
  }

  private void closeAfterLast() {
    if (open.decrementAndGet() == 0) {
      close();
    }
  }

  @Override
  public Duration commandTimeout() {
    return commandTimeout;
  }

  @Override
  public OptionalInt expectedWorkers() {
    return expectedWorkers;
  }

  /** The Redis that is used, without credentials. */
  public String describe() {
    return connector.describe();
  }

  /** Closes the connections; a client that was given stays open. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      News unused = ready.getAndSet(null);
      if (unused != null) {
        unused.close();
      }
      link.closeThen(connector::shutdown);
    }
  }

  /** A configuration. Not thread-safe. */
  public static final class Builder {
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private @Nullable String uri;
    private @Nullable RedisClient client;
    private @Nullable RedisClusterClient clusterClient;
    private @Nullable SslOptions ssl;
    private String namespace = "";
    private Duration commandTimeout = Duration.ofMillis(50);
    private Duration connectTimeout = Duration.ofSeconds(2);
    private OptionalInt expectedWorkers = OptionalInt.empty();
    private Scripts scripts = Scripts.STANDARD;

    private Builder() {}

    /** The address, as for {@link RedisBuckets#connect}. */
    public Builder uri(String uri) {
      this.uri = uri;
      return this;
    }

    /**
     * A client of your own, made with an address, instead of {@link #uri}. Its options must reject
     * commands while disconnected. It is not closed.
     */
    public Builder client(RedisClient client) {
      this.client = client;
      return this;
    }

    /** A cluster client of your own; see {@link #client(RedisClient)}. */
    public Builder client(RedisClusterClient client) {
      this.clusterClient = client;
      return this;
    }

    /** Trust and key material for {@code rediss://}; the platform's trust store otherwise. */
    public Builder ssl(SslOptions options) {
      this.ssl = options;
      return this;
    }

    /** Keeps fleets apart that share a Redis; none unless said. */
    public Builder namespace(String namespace) {
      if (namespace.isBlank() || namespace.length() > 100) {
        throw new IllegalArgumentException(
            "namespace='" + namespace + "': must be 1 to 100 characters, not all blank");
      }
      this.namespace = namespace;
      return this;
    }

    /**
     * Within what time a command is answered, or counts as failed: 1 ms to 10 s, 50 ms unless said.
     */
    public Builder commandTimeout(Duration timeout) {
      this.commandTimeout = checked("commandTimeout", timeout);
      return this;
    }

    /** Within what time a connection is made: 1 ms to 10 s, 2 s unless said. */
    public Builder connectTimeout(Duration timeout) {
      this.connectTimeout = checked("connectTimeout", timeout);
      return this;
    }

    private static Duration checked(String what, Duration timeout) {
      if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException(
            "%s=%s: must be from 1 ms to 10 s".formatted(what, timeout));
      }
      return timeout;
    }

    /**
     * How many workers share the schedules. With it a process starts although Redis cannot be
     * reached, and paces itself at its share until it can; without it, {@link #build} fails then.
     *
     * @param workers at least 1
     */
    public Builder expectedWorkers(int workers) {
      if (workers < 1) {
        throw new IllegalArgumentException(
            "expectedWorkers=%d: must be at least 1".formatted(workers));
      }
      this.expectedWorkers = OptionalInt.of(workers);
      return this;
    }

    /** Another clock than Redis' own, for tests. */
    Builder clock(String lua) {
      this.scripts = Scripts.on(lua);
      return this;
    }

    /**
     * Connects and checks, as {@link RedisBuckets#connect}.
     *
     * @throws IllegalArgumentException if there is not exactly one of address and client
     * @throws IllegalStateException if that Redis cannot be reached or used
     */
    public RedisBuckets build() {
      RedisBuckets buckets = new RedisBuckets(this, connector());
      try {
        buckets.start();
        return buckets;
      } catch (RuntimeException e) {
        buckets.close();
        throw e;
      }
    }

    private Connector connector() {
      if ((uri == null ? 0 : 1) + (client == null ? 0 : 1) + (clusterClient == null ? 0 : 1) != 1) {
        throw new IllegalArgumentException(
            "give exactly one of uri, a RedisClient and a RedisClusterClient");
      }
      if (client != null) {
        return new Connector.Single(client, "the given Redis client", () -> {});
      }
      if (clusterClient != null) {
        return new Connector.Cluster(clusterClient, "the given Redis cluster client", () -> {});
      }
      return ClientSettings.connector(uri == null ? "" : uri, connectTimeout, ssl);
    }
  }
}
