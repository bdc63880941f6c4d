package dev.paceline.limit;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What limits would do to given traffic, in virtual time: one group of limits for each key, all of
 * whose limits are charged a call's cost. Not thread-safe. Every key seen is kept.
 */
public final class Simulation {
  private static final long LATEST_MILLIS = ExactMath.MAX_EXACT / 1_000;

  private final List<Limit> limits;
  private final Mode mode;
  private final long patienceMicros;
  private final Map<String, GroupSchedule> groups = new HashMap<>();
  private final long[] costs;
  private long lastMillis = -LATEST_MILLIS;

  /** When a call is allowed. */
  public enum Mode {
    /** If it can start at once. */
    CHECK,
    /** If it can start within the longest wait. */
    PACE
  }

  /**
   * One call.
   *
   * @param atMillis when it comes; no call comes before the one that is offered before it
   * @param cost at least 1
   * @param key whose limits it is charged to
   */
  public record Call(long atMillis, long cost, String key) {}

  /**
   * What became of a call. Times are milliseconds, rounded up.
   *
   * @param allowed whether it may start, and was charged
   * @param startMillis when it starts; present if allowed
   * @param retryAfterMillis how long until it could start; absent if allowed, or if it never can
   * @param remaining the whole permits left then, the least over the limits; absent when pacing
   */
  public record Result(
      boolean allowed,
      OptionalLong startMillis,
      OptionalLong retryAfterMillis,
      OptionalLong remaining) {}

  private Simulation(List<Limit> limits, Mode mode, long patienceMicros) {
    this.limits = List.copyOf(limits);
    this.mode = mode;
    this.patienceMicros = patienceMicros;
    this.costs = new long[limits.size()];
    groups.put("", new GroupSchedule(this.limits));
  }

  /** Allows what can start at once. */
  public static Simulation check(List<Limit> limits) {
    return new Simulation(limits, Mode.CHECK, 0);
  }

  /**
   * Allows what can start within a wait.
   *
   * @param maxWait the longest wait, not negative; empty: any wait
   */
  public static Simulation pace(List<Limit> limits, Optional<Duration> maxWait) {
    return new Simulation(
        limits, Mode.PACE, maxWait.map(Simulation::micros).orElse(Long.MAX_VALUE));
  }

  private static long micros(Duration wait) {
    if (wait.isNegative()) {
      throw new IllegalArgumentException("maxWait=%s: must not be negative".formatted(wait));
    }
    return wait.compareTo(Duration.ofSeconds(ExactMath.MAX_EXACT / 1_000_000)) > 0
        ? Long.MAX_VALUE
        : LimitChecks.micros(wait);
  }

  /** How calls are allowed. */
  public Mode mode() {
    return mode;
  }

  /**
   * Decides the next call, and charges it if it is allowed.
   *
   * @throws IllegalArgumentException if its time or its cost is out of range; nothing is charged
   */
  public Result offer(Call call) {
    if (call.atMillis() < lastMillis || call.atMillis() > LATEST_MILLIS) {
      throw new IllegalArgumentException(
          "at_ms=%d: must be from that of the call before, %d, to %d"
              .formatted(call.atMillis(), lastMillis, LATEST_MILLIS));
    }
    LimitChecks.positive("cost", call.cost());
    lastMillis = call.atMillis();
    GroupSchedule group = groups.computeIfAbsent(call.key(), key -> new GroupSchedule(limits));
    return decide(group, call.atMillis() * 1_000, call.cost());
  }

  private Result decide(GroupSchedule group, long at, long cost) {
    Arrays.fill(costs, cost);
    long start = group.earliest(at, costs);
    boolean never = start == GroupSchedule.NEVER;
    boolean allowed = !never && start - at <= patienceMicros;
    if (allowed) {
      group.take(start, costs);
    }
    return new Result(
        allowed,
        allowed ? OptionalLong.of(ceilMillis(start)) : OptionalLong.empty(),
        allowed || never ? OptionalLong.empty() : OptionalLong.of(ceilMillis(start - at)),
        mode == Mode.CHECK ? OptionalLong.of(group.remaining(at)) : OptionalLong.empty());
  }

  private static long ceilMillis(long micros) {
    return ExactMath.ceilDiv(micros, 1_000);
  }
}
