package dev.paceline;

import dev.paceline.event.EventListener;
import dev.paceline.pace.Pace;
import dev.paceline.retry.RetryPolicy;
import dev.paceline.store.LocalStore;
import dev.paceline.store.OutagePolicy;
import dev.paceline.store.RemoteStoreSource;
import dev.paceline.store.ScheduleStore;
import dev.paceline.store.SharedSettings;
import dev.paceline.store.SharedStore;
import dev.paceline.time.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Collects the settings of a {@link Paceline}; each setter checks what it is given. Not
 * thread-safe.
 */
public final class PacelineBuilder {

  final Map<String, UpstreamBuilder> upstreams = new LinkedHashMap<>();
  TimeSource time = TimeSource.system();
  EventListener events = EventListener.none();
  Optional<Executor> executor = Optional.empty();
  Optional<ScheduleStore> store = Optional.empty();
  private Optional<RemoteStoreSource> shared = Optional.empty();
  RetryPolicy retry = RetryPolicy.standard();
  Duration longestCooldown = Duration.ofDays(1);
  Duration maxWait = Duration.ofSeconds(10);
  Pace pace = Pace.standard();
  byte[] fingerprintKey = {'p', 'a', 'c', 'e', 'l', 'i', 'n', 'e'};

  PacelineBuilder() {}

  /**
   * Describes one API that is called.
   *
   * @param name part of keys, metrics and messages; unique
   */
  public PacelineBuilder upstream(String name, Consumer<UpstreamBuilder> settings) {
    if (Objects.requireNonNull(name, "name").isBlank()) {
      throw new IllegalArgumentException("an upstream's name is blank; it must have letters");
    }
    UpstreamBuilder upstream = new UpstreamBuilder(name);
    settings.accept(upstream);
    if (upstreams.putIfAbsent(name, upstream) != null) {
      throw new IllegalArgumentException(
          "two upstreams are named \"" + name + "\"; each needs a name of its own");
    }
    return this;
  }

  /**
   * The longest wait for one permit, a retry's delay included; 10 s by default.
   *
   * @param longest 0 or more; what is too long to count in nanoseconds means for ever
   */
  public PacelineBuilder maxWait(Duration longest) {
    if (longest.isNegative()) {
      throw new IllegalArgumentException("maxWait is " + longest + "; it must not be negative");
    }
    maxWait = longest;
    return this;
  }

  /**
   * How often, how late and at whose expense calls are repeated, where an upstream does not say.
   */
  public PacelineBuilder retry(Consumer<RetryPolicy.Builder> settings) {
    RetryPolicy.Builder policy = RetryPolicy.builder();
    settings.accept(policy);
    return retry(policy.build());
  }

  /**
   * How often, how late and at whose expense calls are repeated, where an upstream does not say.
   */
  public PacelineBuilder retry(RetryPolicy policy) {
    retry = Objects.requireNonNull(policy, "policy");
    return this;
  }

  /**
   * The longest cooldown that is kept; what a provider asks beyond it is learned again. A day by
   * default.
   *
   * @param longest more than 0
   */
  public PacelineBuilder longestCooldown(Duration longest) {
    if (longest.isNegative() || longest.isZero()) {
      throw new IllegalArgumentException(
          "longestCooldown is " + longest + "; it must be more than 0");
    }
    longestCooldown = longest;
    return this;
  }

  /** How many callers may wait for one schedule where its upstream does not say; 10,000. */
  public PacelineBuilder maxQueued(int callers) {
    if (callers < 0) {
      throw new IllegalArgumentException("maxQueued is " + callers + "; it must be 0 or more");
    }
    pace = pace.withMaxQueued(callers);
    return this;
  }

  /**
   * How workers take turns at a shared schedule.
   *
   * @param quantum permits that start within it are reserved together: 1 ms to 1 s, 20 ms by
   *     default
   * @param lead how long before its last permit a worker asks again: 1 ms to 1 s, 3 ms by default
   */
  public PacelineBuilder turns(Duration quantum, Duration lead) {
    checkTurn("quantum", quantum);
    checkTurn("lead", lead);
    pace = new Pace(quantum.toNanos(), lead.toNanos(), pace.maxQueued(), pace.ahead());
    return this;
  }

  /**
   * Whether a busy worker reserves permits of a shared schedule for the callers that it expects
   * within a quantum, so that they need not ask for theirs: by default it does, where the schedule
   * has a burst that is far from spent and the worker makes 10 calls or more in a quantum. A permit
   * that finds no caller is lost. Without a shared store it makes no difference.
   */
  public PacelineBuilder permitsAhead(boolean ahead) {
    pace = new Pace(pace.quantumNanos(), pace.leadNanos(), pace.maxQueued(), ahead);
    return this;
  }

  private static void checkTurn(String name, Duration value) {
    if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(Duration.ofSeconds(1)) > 0) {
      throw new IllegalArgumentException(name + " is " + value + "; it must be 1 ms to 1 s");
    }
  }

  /** Runs the callbacks of asynchronous calls; by default a small pool of daemon threads. */
  public PacelineBuilder executor(Executor callbacks) {
    executor = Optional.of(callbacks);
    return this;
  }

  /** Hears what happens. */
  public PacelineBuilder listener(EventListener listener) {
    events = Objects.requireNonNull(listener, "listener");
    return this;
  }

  /** Clocks and timers, for tests; by default the machine's. */
  public PacelineBuilder time(TimeSource source) {
    time = Objects.requireNonNull(source, "source");
    return this;
  }

  /**
   * The key of the fingerprints that stand for credentials in names. All workers that share
   * schedules need the same.
   */
  public PacelineBuilder fingerprintKey(byte[] key) {
    if (key.length == 0) {
      throw new IllegalArgumentException("the fingerprint key is empty; give at least one byte");
    }
    fingerprintKey = key.clone();
    return this;
  }

  /** Keeps schedules in a given store, shared by several Pacelines; the caller closes it. */
  public PacelineBuilder store(ScheduleStore shared) {
    store = Optional.of(shared);
    return this;
  }

  /**
   * Shares schedules and cooldowns with other workers through a store such as Redis.
   *
   * @param source connected and checked; the caller closes it after Paceline
   */
  public PacelineBuilder sharedThrough(RemoteStoreSource source) {
    shared = Optional.of(source);
    return this;
  }

  private ScheduleStore openStore() {
    if (store.isPresent() && shared.isPresent()) {
      throw new IllegalArgumentException(
          "both store(...) and sharedThrough(...) are given; schedules live in one place");
    }
    if (shared.isEmpty()) {
      return store.orElseGet(() -> LocalStore.create(time));
    }
    RemoteStoreSource source = shared.get();
    Map<String, OutagePolicy> policies = new HashMap<>();
    upstreams.forEach((name, upstream) -> policies.put(name, upstream.onStoreFailure));
    SharedSettings settings =
        SharedSettings.standard()
            .commandTimeout(source.commandTimeout())
            .lead(Duration.ofNanos(pace.leadNanos()))
            .outagePolicy(upstream -> policies.getOrDefault(upstream, OutagePolicy.LOCAL))
            .listener(events);
    if (source.expectedWorkers().isPresent()) {
      settings = settings.expectedWorkers(source.expectedWorkers().getAsInt());
    }
    return SharedStore.start(source.open(time), time, settings);
  }

  /**
   * Checks everything and builds. Starts no thread and opens no connection, but for those of {@link
   * #sharedThrough}.
   *
   * @throws IllegalArgumentException one sentence: which value, and what is allowed
   */
  public Paceline build() {
    return new Paceline(this, openStore());
  }
}
