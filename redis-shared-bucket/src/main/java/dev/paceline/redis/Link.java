package dev.paceline.redis;

import dev.paceline.time.TimeSource;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisReadOnlyException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection on which scripts run. The client reconnects by itself after a disconnect; this
 * replaces the connection where that does not happen: when replies are out of step with requests,
 * when nothing is answered any more, when it leads to a server that is no primary. Thread-safe.
 */
final class Link {
  private static final Logger LOG = LoggerFactory.getLogger(Link.class);

  private static final long SILENCE_NANOS = 3_000_000_000L;
  private static final long SHORTEST_PAUSE_NANOS = 20_000_000L;
  private static final long LONGEST_PAUSE_NANOS = 2_000_000_000L;
  private static final int ATTEMPTS_AT_ONCE = 3;
  private static final long NEXT_ATTEMPT_NANOS = 250_000_000L;
  private static final int READ_ONLY_REPLIES = 3;

  /** Together 15 ms: within any sensible command timeout. */
  private static final int LATE_ATTEMPTS = 4;

  private static final long LATE_PAUSE_NANOS = 1_000_000L;

  private final Connector connector;
  private final TimeSource time;
  private final AtomicBoolean connecting = new AtomicBoolean();
  private final AtomicInteger attempts = new AtomicInteger();
  private final AtomicInteger readOnly = new AtomicInteger();
  private final AtomicLong unanswered = new AtomicLong();

  private volatile Connector.@Nullable Connection connection;
  private volatile boolean closed;
  private volatile long lastReply;

  Link(Connector connector, TimeSource time) {
    this.connector = connector;
    this.time = time;
    this.lastReply = time.nanoTime();
  }

  /** Connects, and blocks until it has. */
  void connectNow() {
    connection = connected();
    lastReply = time.nanoTime();
  }

  private Connector.Connection connected() {
    try {
      return connector.connect();
    } catch (RedisConnectionException e) {
      // A refused handshake may be seen as a closed connection only: asked again, Redis says why.
      return connector.connect();
    }
  }

  /** Connects in the background, again and again until it has. */
  void connectLater() {
    if (connecting.compareAndSet(false, true)) {
      attemptAfter(0);
    }
  }

  boolean rejectsWhileDisconnected() {
    Connector.Connection current = connection;
    return current == null || current.rejectsWhileDisconnected();
  }

  /**
   * Runs a script by its digest, and once by its text if Redis says that it does not know it: then
   * it was not executed. After any other failure it may have been.
   */
  CompletionStage<Object> run(Script script, String[] keys, String[] args) {
    Connector.Connection current = connection;
    if (current == null) {
      return CompletableFuture.failedFuture(
          new RedisConnectionException("not connected to " + connector.describe() + " yet"));
    }
    unanswered.incrementAndGet();
    CompletableFuture<Object> result = new CompletableFuture<>();
    run(current.commands(), script, keys, args, 0, result);
    return result;
  }

  private void run(
      RedisClusterAsyncCommands<String, String> commands,
      Script script,
      String[] keys,
      String[] args,
      int rejections,
      CompletableFuture<Object> result) {
    send(
        () -> commands.evalsha(script.sha(), ScriptOutputType.MULTI, keys, args),
        (reply, failure) -> {
          if (failure instanceof RedisNoScriptException) {
            send(
                () -> commands.eval(script.text(), ScriptOutputType.MULTI, keys, args),
                (later, again) -> finish(result, later, again));
          } else if (rejections < LATE_ATTEMPTS && isRejected(failure)) {
            time.schedule(
                () -> run(commands, script, keys, args, rejections + 1, result),
                LATE_PAUSE_NANOS << rejections);
          } else {
            finish(result, reply, failure);
          }
        });
  }

  /** Rejected commands were not sent: a node of a cluster may be connected in a moment. */
  private boolean isRejected(@Nullable Throwable failure) {
    return connector.connectsLate()
        && failure != null
        && String.valueOf(failure.getMessage()).contains("Commands are rejected");
  }

  /** A client may also refuse a command by throwing. */
  private static void send(
      Supplier<RedisFuture<Object>> command,
      BiConsumer<@Nullable Object, @Nullable Throwable> then) {
    RedisFuture<Object> sent;
    try {
      sent = command.get();
    } catch (RuntimeException e) {
      then.accept(null, e);
      return;
    }
    sent.whenComplete(then);
  }

  private void finish(
      CompletableFuture<Object> result, @Nullable Object reply, @Nullable Throwable failure) {
    unanswered.decrementAndGet();
    lastReply = time.nanoTime();
    if (failure == null && reply != null) {
      readOnly.set(0);
      result.complete(reply);
      return;
    }
    if (failure instanceof RedisReadOnlyException
        && readOnly.incrementAndGet() >= READ_ONLY_REPLIES) {
      readOnly.set(0);
      replace("it leads to a replica");
    }
    result.completeExceptionally(
        failure != null ? failure : new IllegalStateException("Redis replied with nothing"));
  }

  /** Replaces a connection that has not answered anything for long. To be called now and then. */
  void replaceIfSilent() {
    if (unanswered.get() > 0 && time.nanoTime() - lastReply > SILENCE_NANOS) {
      replace("it does not answer");
    }
  }

  /** Closes the connection, which fails all that is in flight, and opens another. */
  void replace(String reason) {
    if (closed || !connecting.compareAndSet(false, true)) {
      return;
    }
    LOG.debug("the connection to {} is replaced: {}", connector.describe(), reason);
    lastReply = time.nanoTime();
    Connector.Connection old = connection;
    if (old != null) {
      Connector.close(old.socket());
    }
    attemptAfter(pauseNanos());
  }

  private long pauseNanos() {
    int attempt = Math.min(attempts.getAndIncrement(), 10);
    long most = Math.min(LONGEST_PAUSE_NANOS, SHORTEST_PAUSE_NANOS << attempt);
    return ThreadLocalRandom.current().nextLong(most / 2, most + 1);
  }

  private void attemptAfter(long nanos) {
    Round round = new Round();
    time.schedule(() -> round.attempt(ATTEMPTS_AT_ONCE), nanos);
  }

  /**
   * A first attempt, and others while it hangs: one packet that is lost during a handshake would
   * otherwise cost the whole connect timeout. The first that ends decides.
   */
  private final class Round {
    private final AtomicBoolean decided = new AtomicBoolean();

    void attempt(int left) {
      if (closed || decided.get()) {
        return;
      }
      // Connecting blocks, which neither the timer nor a thread of the client may.
      Thread thread = new Thread(this::connect, "paceline-redis-connect");
      thread.setDaemon(true);
      thread.start();
      if (left > 1) {
        time.schedule(() -> attempt(left - 1), NEXT_ATTEMPT_NANOS);
      }
    }

    private void connect() {
      try {
        Connector.Connection fresh = connector.connect();
        if (!decided.compareAndSet(false, true)) {
          Connector.close(fresh.socket());
          return;
        }
        connection = fresh;
        lastReply = time.nanoTime();
        connecting.set(false);
        if (closed) {
          Connector.close(fresh.socket());
        }
        time.schedule(() -> attempts.set(0), LONGEST_PAUSE_NANOS);
      } catch (RuntimeException e) {
        LOG.debug("no connection to {} yet", connector.describe(), e);
        if (decided.compareAndSet(false, true)) {
          attemptAfter(pauseNanos());
        }
      }
    }
  }

  /** Closes the connection, and goes on after that. */
  void closeThen(Runnable then) {
    closed = true;
    Connector.Connection current = connection;
    Connector.closeThen(current == null ? null : current.socket(), then);
  }
}
