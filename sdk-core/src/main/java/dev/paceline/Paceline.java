package dev.paceline;

import dev.paceline.feedback.Profile;
import dev.paceline.limit.InFlight;
import dev.paceline.pace.Pacers;
import dev.paceline.rule.Fingerprint;
import dev.paceline.rule.Rule;
import dev.paceline.rule.RuleSet;
import dev.paceline.store.GroupKey;
import dev.paceline.store.LocalStore;
import dev.paceline.store.ScheduleStore;
import dev.paceline.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends calls to third-party APIs at the moments at which they will be accepted. Thread-safe; one
 * for an application.
 */
public final class Paceline implements AutoCloseable {

  private final Engine engine;
  private final boolean ownsStore;
  private final Duration maxWait;
  private final Map<String, Upstream> byName = new LinkedHashMap<>();
  private final Map<String, Optional<Upstream>> byHost = new HashMap<>();
  private final List<Map.Entry<String, Upstream>> bySuffix = new ArrayList<>();

  Paceline(PacelineBuilder builder, ScheduleStore store) {
    ownsStore = builder.store.isEmpty();
    maxWait = builder.maxWait;
    Map<String, Map<String, Rule>> known = new HashMap<>();
    int longestQueue = builder.pace.maxQueued();
    Function<GroupKey, Optional<InFlight>> inFlight =
        key -> rule(known, key).flatMap(Rule::inFlight);
    Pacers pacers =
        new Pacers(
            store,
            builder.time,
            builder.pace,
            key ->
                rule(known, key).map(r -> r.maxQueued().orElse(longestQueue)).orElse(longestQueue),
            inFlight);
    Probes probes =
        new Probes(store, builder.time, upstream -> punishes(builder.upstreams.get(upstream)));
    SpentQuotas spent = new SpentQuotas(store);
    pacers.tell(probes);
    pacers.tell(spent);
    engine =
        new Engine(
            builder.time,
            store,
            store instanceof LocalStore local ? local : null,
            pacers,
            new Holds(store, builder.time::nanoTime, pacers),
            probes,
            spent,
            builder.executor.orElseGet(Completions::shared),
            builder.events,
            new Counters(),
            new Lines(builder.time),
            Nanos.of(builder.maxWait),
            inFlight);
    Fingerprint fingerprint = Fingerprint.withKey(builder.fingerprintKey);
    for (UpstreamBuilder settings : builder.upstreams.values()) {
      RuleSet rules = settings.rules();
      Map<String, Rule> own = new HashMap<>();
      rules.rules().forEach(rule -> own.put(rule.name(), rule));
      known.put(settings.name(), own);
      add(settings, new Upstream(settings, rules, fingerprint, engine, builder));
    }
  }

  private static boolean punishes(@Nullable UpstreamBuilder upstream) {
    return upstream != null && upstream.profile.map(Profile::probeAfterCooldown).orElse(false);
  }

  private static Optional<Rule> rule(Map<String, Map<String, Rule>> known, GroupKey key) {
    return Optional.ofNullable(known.getOrDefault(key.upstream(), Map.of()).get(key.rule()));
  }

  private void add(UpstreamBuilder settings, Upstream upstream) {
    byName.put(settings.name(), upstream);
    for (String host : settings.hosts()) {
      if (host.startsWith("*.")) {
        bySuffix.add(Map.entry(host.substring(1), upstream));
        continue;
      }
      Optional<Upstream> other = byHost.putIfAbsent(host, Optional.of(upstream));
      if (other != null) {
        throw new IllegalArgumentException(
            "host \""
                + host
                + "\" of upstream \""
                + settings.name()
                + "\" belongs to upstream \""
                + other.orElse(upstream).name()
                + "\" already; a host has one upstream");
      }
    }
  }

  /** Begins to build. */
  public static PacelineBuilder builder() {
    return new PacelineBuilder();
  }

  /**
   * The upstream of a host: its own, or that of the closest {@code *.} name above it.
   *
   * @param host in lower case, without a port
   */
  public Optional<Upstream> upstreamOf(String host) {
    Optional<Upstream> exact = byHost.getOrDefault(host, Optional.empty());
    if (exact.isPresent() || bySuffix.isEmpty()) {
      return exact;
    }
    Map.Entry<String, Upstream> best = null;
    for (Map.Entry<String, Upstream> entry : bySuffix) {
      boolean closer = best == null || entry.getKey().length() > best.getKey().length();
      if (closer && host.endsWith(entry.getKey())) {
        best = entry;
      }
    }
    return best == null ? Optional.empty() : Optional.of(best.getValue());
  }

  /** All upstreams, in the order in which they were given. */
  public List<Upstream> upstreams() {
    return List.copyOf(byName.values());
  }

  /**
   * Permits of an upstream for code that is no HTTP client.
   *
   * @throws IllegalArgumentException if there is no upstream of this name
   */
  public Limiter limiter(String upstream) {
    return new Limiter(named(upstream).scopeOf(Optional.empty()));
  }

  /**
   * Permits of an upstream for one owner.
   *
   * @param owner a tenant's or an account's name; not a credential
   * @throws IllegalArgumentException if there is no upstream of this name
   */
  public Limiter limiter(String upstream, String owner) {
    return new Limiter(named(upstream).scopeOf(Optional.of(owner)));
  }

  /**
   * Permits of an upstream for many owners.
   *
   * @throws IllegalArgumentException if there is no upstream of this name
   */
  public KeyedLimiter keyedLimiter(String upstream) {
    return named(upstream).keyed();
  }

  private Upstream named(String name) {
    Upstream upstream = byName.get(name);
    if (upstream == null) {
      throw new IllegalArgumentException(
          "there is no upstream \"" + name + "\"; there are " + byName.keySet());
    }
    return upstream;
  }

  /** Takes a permit and waits for it if it must; for one that is free there is {@link Limiter}. */
  public Permit acquire(String upstream) throws java.io.IOException {
    return limiter(upstream).acquire();
  }

  /** The time that everything here runs by. */
  public TimeSource time() {
    return engine.time();
  }

  /** The longest wait for one permit where a call sets none. */
  public Duration maxWait() {
    return maxWait;
  }

  /** Runs the callbacks of asynchronous calls. */
  public Executor executor() {
    return engine.completions();
  }

  /** What was counted so far. */
  public Stats stats() {
    return Stats.of(engine);
  }

  /** What is degraded, and since when. */
  public Health health() {
    return Health.of(engine.store());
  }

  /** Refuses whoever waits, and whoever comes; closes the store if it was made by the builder. */
  @Override
  public void close() {
    engine.pacers().close();
    if (ownsStore) {
      engine.store().close();
    }
  }
}
