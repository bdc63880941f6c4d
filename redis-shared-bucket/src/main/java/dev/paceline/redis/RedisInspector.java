package dev.paceline.redis;

import dev.paceline.limit.Limit;
import dev.paceline.limit.Snapshot;
import dev.paceline.store.Change;
import dev.paceline.store.Floor;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.time.TimeSource;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.Range;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Looks at the schedules that a fleet shares: for people, not for each call, since it walks over
 * all keys. Its methods block, and throw {@link IllegalStateException} if Redis does not answer.
 * Thread-safe.
 */
public final class RedisInspector implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
  private static final long REPLY_SECONDS = 5;
  private static final int KEYS_AT_ONCE = 500;
  private static final long HEARTBEAT_LASTS_MICROS = 3_500_000;

  private final Connector connector;
  private final KeyNames names;
  private final Connector.Connection connection;

  private RedisInspector(Connector connector, KeyNames names) {
    this.connector = connector;
    this.names = names;
    this.connection = connector.connect();
  }

  /**
   * A worker that lives.
   *
   * @param name it is known by to Redis
   * @param seenAgo the time since its last heartbeat
   */
  public record SeenWorker(String name, Duration seenAgo) {}

  /**
   * Connects.
   *
   * @param uri as for {@link RedisBuckets#connect}
   * @throws IllegalArgumentException if it is no such URI
   * @throws IllegalStateException if that Redis cannot be reached
   */
  public static RedisInspector connect(String uri) {
    return connect(uri, new KeyNames(""));
  }

  /**
   * Connects to see the fleet of a namespace.
   *
   * @param namespace as given to {@link RedisBuckets.Builder#namespace}
   */
  public static RedisInspector connect(String uri, String namespace) {
    return connect(uri, new KeyNames(namespace));
  }

  private static RedisInspector connect(String uri, KeyNames names) {
    Connector connector = ClientSettings.connector(uri, CONNECT_TIMEOUT, null);
    try {
      return new RedisInspector(connector, names);
    } catch (RuntimeException e) {
      connector.shutdown();
      throw SetupCheck.explain(e, connector.describe());
    }
  }

  /** The schedules that Redis holds, in the order of their names; others' keys are left out. */
  public List<SharedScope> scopes() {
    List<SharedScope> scopes = new ArrayList<>();
    for (String key : keys()) {
      names
          .group(key)
          .filter(group -> !SetupCheck.isOwn(group))
          .flatMap(group -> scope(key, group))
          .ifPresent(scopes::add);
    }
    return scopes;
  }

  private Set<String> keys() {
    Set<String> keys = new TreeSet<>();
    ScanArgs matching = ScanArgs.Builder.matches(names.pattern()).limit(KEYS_AT_ONCE);
    ScanCursor cursor = ScanCursor.INITIAL;
    while (!cursor.isFinished()) {
      KeyScanCursor<String> found = get(commands().scan(cursor, matching));
      keys.addAll(found.getKeys());
      cursor = found;
    }
    return keys;
  }

  private Optional<SharedScope> scope(String key, GroupKey group) {
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    long now = now();
    long expires = Math.max(0, get(commands().pttl(key)));
    try {
      StateText state = StateText.parse(text.get());
      List<Limit> limits = limits(group).orElse(List.of());
      return Optional.of(
          new StoredScope(group, state, text.get()).at(now, limits, Duration.ofMillis(expires)));
    } catch (IllegalArgumentException e) {
      // No state of ours, or of another version.
      return Optional.empty();
    }
  }

  /** The value of a string; empty if it is gone, or nothing of ours. */
  private Optional<String> text(String key) {
    return get(commands().type(key)).equals("string")
        ? Optional.ofNullable(get(commands().get(key)))
        : Optional.empty();
  }

  private Optional<List<Limit>> limits(GroupKey group) {
    String told =
        get(commands().hget(names.rules(), Rulebook.field(group.upstream(), group.rule())));
    return Optional.ofNullable(told).flatMap(LimitText::parse);
  }

  private long now() {
    List<String> time = get(commands().time());
    return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
  }

  /** The workers of which Redis heard within three heartbeats, in the order of their names. */
  public List<SeenWorker> workers() {
    long now = now();
    Range<Long> living = Range.create(now - HEARTBEAT_LASTS_MICROS, Long.MAX_VALUE);
    List<SeenWorker> workers = new ArrayList<>();
    for (ScoredValue<String> seen :
        get(commands().zrangebyscoreWithScores(names.workers(), living))) {
      long ago = Math.max(0, now - (long) seen.getScore());
      workers.add(
          new SeenWorker(seen.getValue().substring(1), Duration.of(ago, ChronoUnit.MICROS)));
    }
    workers.sort(Comparator.comparing(SeenWorker::name));
    return workers;
  }

  /**
   * Ends a cooldown, in Redis and in every worker.
   *
   * @return false if the schedule is gone, or is none whose cooldown can be ended
   */
  public boolean clearCooldown(GroupKey group) {
    String key = names.of(group);
    Optional<String> text = text(key);
    Optional<List<Limit>> limits = text.flatMap(LimitText::ofState).or(() -> limits(group));
    if (text.isEmpty() || limits.isEmpty()) {
      return false;
    }
    Link link = new Link(connector, TimeSource.system());
    link.connectNow();
    News news = new News(connector, names, "inspector", TimeSource.system());
    RedisRemote remote =
        new RedisRemote(
            link,
            news,
            names,
            "inspector",
            connector.describe(),
            TimeSource.system(),
            Scripts.STANDARD,
            () -> {});
    try {
      get(
          remote.change(
              new Group(group, limits.get()),
              new Floor(0, new Snapshot(List.of()), Floor.AGE_UNKNOWN),
              List.of(new Change.ClearCooldown())));
      return true;
    } finally {
      link.closeThen(() -> {});
    }
  }

  private RedisClusterAsyncCommands<String, String> commands() {
    return connection.commands();
  }

  private <T> T get(CompletionStage<T> reply) {
    try {
      return reply.toCompletableFuture().get(REPLY_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw SetupCheck.explain(e, connector.describe());
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw SetupCheck.explain(cause, connector.describe());
    } catch (TimeoutException e) {
      throw SetupCheck.explain(e, connector.describe());
    }
  }

  /** Closes the connection. */
  @Override
  public void close() {
    Connector.closeThen(connection.socket(), connector::shutdown);
  }
}
