package dev.paceline;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How one call asks for its permits: what it costs, how long it can wait, how urgent it is.
 * Immutable.
 */
public final class AcquireOptions {

  /** The unit of a limit that counts calls. */
  public static final String REQUESTS = "requests";

  private static final AcquireOptions STANDARD =
      new AcquireOptions(
          new String[0], new long[0], 0, Optional.empty(), Duration.ZERO, OptionalLong.empty());

  private final String[] units;
  private final long[] costs;
  private final int priority;
  private final Optional<Duration> maxWait;
  private final Duration delay;
  private final OptionalLong age;

  private AcquireOptions(
      String[] units,
      long[] costs,
      int priority,
      Optional<Duration> maxWait,
      Duration delay,
      OptionalLong age) {
    this.units = units;
    this.costs = costs;
    this.priority = priority;
    this.maxWait = maxWait;
    this.delay = delay;
    this.age = age;
  }

  /** One request, priority 0, the longest wait that Paceline was built with. */
  public static AcquireOptions standard() {
    return STANDARD;
  }

  /**
   * What the call costs in a unit. A limit of a unit for which no cost is given is not charged, but
   * for {@code requests}, where it is 1.
   *
   * @param unit as the limit's
   * @param cost 1 or more
   */
  public AcquireOptions cost(String unit, long cost) {
    if (cost < 1) {
      throw new IllegalArgumentException(
          "cost is " + cost + " " + unit + "; it must be at least 1");
    }
    for (int i = 0; i < units.length; i++) {
      if (units[i].equals(unit)) {
        long[] changed = costs.clone();
        changed[i] = cost;
        return new AcquireOptions(units, changed, priority, maxWait, delay, age);
      }
    }
    String[] moreUnits = Arrays.copyOf(units, units.length + 1);
    long[] moreCosts = Arrays.copyOf(costs, costs.length + 1);
    moreUnits[units.length] = unit;
    moreCosts[costs.length] = cost;
    return new AcquireOptions(moreUnits, moreCosts, priority, maxWait, delay, age);
  }

  /** Higher goes first among the callers of this process; 0 by default. */
  public AcquireOptions priority(int priority) {
    return new AcquireOptions(units, costs, priority, maxWait, delay, age);
  }

  /**
   * The longest wait for this permit.
   *
   * @param maxWait zero for a permit that is free now; not negative
   */
  public AcquireOptions maxWait(Duration maxWait) {
    if (maxWait.isNegative()) {
      throw new IllegalArgumentException("maxWait is " + maxWait + "; it must not be negative");
    }
    return new AcquireOptions(units, costs, priority, Optional.of(maxWait), delay, age);
  }

  /** Not to start before this from now, as a retry must not. */
  public AcquireOptions notBefore(Duration delay) {
    return new AcquireOptions(units, costs, priority, maxWait, delay, age);
  }

  /**
   * When the call first asked, so that a retry keeps its place.
   *
   * @param nanoTime a reading of Paceline's time source
   */
  public AcquireOptions age(long nanoTime) {
    return new AcquireOptions(units, costs, priority, maxWait, delay, OptionalLong.of(nanoTime));
  }

  boolean isPlain() {
    return units.length == 0;
  }

  long costIn(String unit) {
    for (int i = 0; i < units.length; i++) {
      if (units[i].equals(unit)) {
        return costs[i];
      }
    }
    return unit.equals(REQUESTS) ? 1 : 0;
  }

  int priority() {
    return priority;
  }

  Optional<Duration> maxWait() {
    return maxWait;
  }

  long delayNanos() {
    return Nanos.of(delay);
  }

  long ageOr(long now) {
    return age.orElse(now);
  }
}
