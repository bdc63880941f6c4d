package dev.paceline.redis;

import dev.paceline.store.GroupKey;
import dev.paceline.store.RemoteStore.RemoteListener;
import dev.paceline.time.TimeSource;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One subscription to what other workers publish. Thread-safe. */
final class News implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(News.class);
  private static final long PAUSE_NANOS = 1_000_000_000L;
  private static final long SILENCE_NANOS = 3_000_000_000L;
  private static final int LONGEST_MESSAGE = 4_096;

  private final Connector connector;
  private final KeyNames names;
  private final String worker;
  private final TimeSource time;

  private volatile @Nullable RemoteListener listener;
  private volatile BiConsumer<GroupKey, String> handed = (group, lease) -> {};
  private volatile @Nullable StatefulRedisPubSubConnection<String, String> connection;
  private volatile boolean subscribedBefore;
  private volatile boolean pinging;
  private volatile long pingedAt;
  private volatile boolean closed;

  News(Connector connector, KeyNames names, String worker, TimeSource time) {
    this.connector = connector;
    this.names = names;
    this.worker = worker;
    this.time = time;
  }

  /** The name of the worker that listens. */
  String worker() {
    return worker;
  }

  void listen(RemoteListener to) {
    listener = to;
  }

  /** Names who is told of slots that were handed to this worker. */
  void handOver(BiConsumer<GroupKey, String> to) {
    handed = to;
  }

  /** Subscribes, and blocks until it has. */
  void subscribeNow() {
    StatefulRedisPubSubConnection<String, String> fresh = connector.connectPubSub();
    try {
      fresh.addListener(new Ear());
      fresh.sync().subscribe(names.channel());
    } catch (RuntimeException e) {
      Connector.close(fresh);
      throw e;
    }
    connection = fresh;
    if (closed) {
      Connector.close(fresh);
    }
  }

  /** Subscribes in the background, again and again until it has. */
  void subscribeLater() {
    Thread thread =
        new Thread(
            () -> {
              try {
                if (!closed) {
                  subscribeNow();
                }
              } catch (RuntimeException e) {
                LOG.debug("no subscription at {} yet", connector.describe(), e);
                time.schedule(this::subscribeLater, PAUSE_NANOS);
              }
            },
            "paceline-redis-subscribe");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Replaces a subscription on which nothing is answered any more: messages may be lost on the way,
   * and nothing else would tell. To be called with each heartbeat.
   */
  void replaceIfSilent() {
    StatefulRedisPubSubConnection<String, String> current = connection;
    long now = time.nanoTime();
    if (current == null || !current.isOpen()) {
      // The client connects again by itself.
      pinging = false;
    } else if (!pinging) {
      pingedAt = now;
      pinging = true;
      var unused = current.async().ping().whenComplete((pong, failure) -> pinging = false);
    } else if (now - pingedAt > SILENCE_NANOS) {
      LOG.debug("the subscription at {} is replaced: it does not answer", connector.describe());
      connection = null;
      pinging = false;
      Connector.close(current);
      subscribeLater();
    }
  }

  private final class Ear extends RedisPubSubAdapter<String, String> {

    /** The client subscribes again by itself after each disconnect. */
    @Override
    public void subscribed(String channel, long count) {
      RemoteListener to = listener;
      if (subscribedBefore && to != null) {
        to.resubscribed();
      }
      subscribedBefore = true;
    }

    @Override
    public void message(String channel, String message) {
      hear(message, listener);
    }
  }

  /**
   * Understands {@code c generation micros worker key}, {@code m micros worker key} and {@code l
   * lease worker key}; anything else is not for this version. What this worker said itself of a
   * cooldown or a move it knows, and of leases it wants to know its own only.
   */
  void hear(String message, @Nullable RemoteListener to) {
    String[] parts = message.split(" ", 6);
    if (message.length() > LONGEST_MESSAGE || parts.length < 4) {
      return;
    }
    boolean own = parts[parts.length - 2].equals(worker);
    Optional<GroupKey> group = names.group(parts[parts.length - 1]);
    if (group.isEmpty()) {
      return;
    }
    try {
      if (parts[0].equals("l") && parts.length == 4 && own) {
        handed.accept(group.get(), parts[1]);
      } else if (parts[0].equals("c") && parts.length == 5 && !own && to != null) {
        to.cooldown(group.get(), Long.parseLong(parts[1]), Math.max(0, Long.parseLong(parts[2])));
      } else if (parts[0].equals("m") && parts.length == 4 && !own && to != null) {
        to.moved(group.get(), Math.max(0, Long.parseLong(parts[1])));
      }
    } catch (NumberFormatException e) {
      LOG.debug("a message on {} that is not one: {}", names.channel(), message, e);
    }
  }

  /** Ends the subscription, and goes on after that. */
  void closeThen(Runnable then) {
    closed = true;
    Connector.closeThen(connection, then);
  }

  @Override
  public void close() {
    closeThen(() -> {});
  }
}
