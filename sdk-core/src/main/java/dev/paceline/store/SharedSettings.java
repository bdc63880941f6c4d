package dev.paceline.store;

import dev.paceline.event.EventListener;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * How a {@link SharedStore} behaves. Immutable; each method returns a changed copy.
 *
 * <pre>{@code
 * SharedSettings.standard().commandTimeout(Duration.ofMillis(30)).expectedWorkers(20)
 * }</pre>
 */
public final class SharedSettings {

  private static final int DEFAULT_CAPACITY = 1_000_000;

  private final long commandTimeoutNanos;
  private final long leadNanos;
  private final OptionalInt expectedWorkers;
  private final Function<String, OutagePolicy> outagePolicy;
  private final EventListener listener;
  private final int capacity;

  private SharedSettings(
      long commandTimeoutNanos,
      long leadNanos,
      OptionalInt expectedWorkers,
      Function<String, OutagePolicy> outagePolicy,
      EventListener listener,
      int capacity) {
    this.commandTimeoutNanos = commandTimeoutNanos;
    this.leadNanos = leadNanos;
    this.expectedWorkers = expectedWorkers;
    this.outagePolicy = outagePolicy;
    this.listener = listener;
    this.capacity = capacity;
  }

  /** 50 ms for a command, a lead of 3 ms, {@link OutagePolicy#LOCAL} for every upstream. */
  public static SharedSettings standard() {
    return new SharedSettings(
        50_000_000,
        3_000_000,
        OptionalInt.empty(),
        upstream -> OutagePolicy.LOCAL,
        EventListener.none(),
        DEFAULT_CAPACITY);
  }

  /**
   * How long a command may take before the outage policy decides.
   *
   * @param timeout from 1 ms to 10 s
   */
  public SharedSettings commandTimeout(Duration timeout) {
    long nanos = between("commandTimeout", timeout, Duration.ofMillis(1), Duration.ofSeconds(10));
    return new SharedSettings(nanos, leadNanos, expectedWorkers, outagePolicy, listener, capacity);
  }

  /**
   * How much earlier than needed a worker asks; what it remembers of a schedule is lowered by as
   * much.
   *
   * @param lead from 0 to 1 s
   */
  public SharedSettings lead(Duration lead) {
    long nanos = between("lead", lead, Duration.ZERO, Duration.ofSeconds(1));
    return new SharedSettings(
        commandTimeoutNanos, nanos, expectedWorkers, outagePolicy, listener, capacity);
  }

  /**
   * By how many workers the limits are shared in an outage that began before any were counted.
   *
   * @param workers at least 1
   */
  public SharedSettings expectedWorkers(int workers) {
    OptionalInt expected = OptionalInt.of(atLeastOne("expectedWorkers", workers));
    return new SharedSettings(
        commandTimeoutNanos, leadNanos, expected, outagePolicy, listener, capacity);
  }

  /** What callers of an upstream get while the store is away, by the upstream's name. */
  public SharedSettings outagePolicy(Function<String, OutagePolicy> policy) {
    Objects.requireNonNull(policy, "policy");
    return new SharedSettings(
        commandTimeoutNanos, leadNanos, expectedWorkers, policy, listener, capacity);
  }

  /** Who hears of outages and repairs. */
  public SharedSettings listener(EventListener events) {
    Objects.requireNonNull(events, "events");
    return new SharedSettings(
        commandTimeoutNanos, leadNanos, expectedWorkers, outagePolicy, events, capacity);
  }

  /**
   * Of how many groups the schedule is remembered here; beyond it, new groups of a rule share one
   * schedule until others have left.
   *
   * @param groups at least 1
   */
  public SharedSettings capacity(int groups) {
    int checked = atLeastOne("capacity", groups);
    return new SharedSettings(
        commandTimeoutNanos, leadNanos, expectedWorkers, outagePolicy, listener, checked);
  }

  private static long between(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "%s=%s: must be from %s to %s".formatted(name, value, least, most));
    }
    return value.toNanos();
  }

  private static int atLeastOne(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException("%s=%d: must be at least 1".formatted(name, value));
    }
    return value;
  }

  long commandTimeoutNanos() {
    return commandTimeoutNanos;
  }

  long leadNanos() {
    return leadNanos;
  }

  OptionalInt expectedWorkers() {
    return expectedWorkers;
  }

  OutagePolicy outagePolicyOf(String upstream) {
    return outagePolicy.apply(upstream);
  }

  EventListener listener() {
    return listener;
  }

  int capacity() {
    return capacity;
  }
}
