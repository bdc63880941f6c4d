package dev.paceline.limit;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One published rule of a provider: so many permits in a period, counted by an algorithm.
 * Immutable.
 *
 * <pre>{@code
 * Limit.of(100).per(Duration.ofSeconds(1))                                  // one every 10 ms
 * Limit.of(100).per(Duration.ofSeconds(1)).burst(20)                        // up to 20 at once
 * Limit.of(10_000).per(Duration.ofDays(1)).fixedWindow(ZoneId.of("America/Los_Angeles"))
 * Limit.of(90_000).per(Duration.ofMinutes(1)).tokenBucket().unit("tokens")
 * }</pre>
 *
 * <p>Every value is checked where it enters. The arithmetic on a limit is exact in whole numbers up
 * to 2^53, which doubles hold too; a limit that would need more is refused with an {@link
 * IllegalArgumentException}.
 */
public final class Limit {
  /** The unit of a limit that counts calls. */
  public static final String REQUESTS = "requests";

  private final String givenName;
  private final long permits;
  private final Duration period;
  private final Algorithm algorithm;
  private final long burst;
  private final String unit;
  private final Optional<ZoneId> zone;
  private final OptionalInt maxQueued;
  private final EmissionInterval emissionInterval;

  private Limit(
      String givenName,
      long permits,
      Duration period,
      Algorithm algorithm,
      long burst,
      String unit,
      Optional<ZoneId> zone,
      OptionalInt maxQueued) {
    this.givenName = givenName;
    this.permits = permits;
    this.period = period;
    this.algorithm = algorithm;
    this.burst = burst;
    this.unit = unit;
    this.zone = zone;
    this.maxQueued = maxQueued;
    LimitChecks.check(this);
    this.emissionInterval = EmissionInterval.of(permits, LimitChecks.micros(period));
  }

  /** The first half of a limit: its permits. */
  public static final class Permits {
    private final long permits;

    private Permits(long permits) {
      this.permits = permits;
    }

    /**
     * The limit of these permits in a period: {@link Algorithm#GCRA} with a burst of 1.
     *
     * @param period at least a microsecond, a whole number of microseconds, at most 2^53 of them
     */
    public Limit per(Duration period) {
      return new Limit(
          "",
          permits,
          Objects.requireNonNull(period, "period"),
          Algorithm.GCRA,
          1,
          REQUESTS,
          Optional.empty(),
          OptionalInt.empty());
    }
  }

  /**
   * Begins a limit.
   *
   * @param permits how many permits a period has, from 1 to 2^53
   */
  public static Permits of(long permits) {
    LimitChecks.positive("permits", permits);
    return new Permits(permits);
  }

  /**
   * Reads a limit written as {@code PERMITS/PERIOD[;burst=N][;algorithm=NAME][;zone=ZONE]}, for
   * example {@code 100/1s}, {@code 10/1s;burst=20;algorithm=token-bucket} or {@code
   * 1000/1d;algorithm=fixed-window;zone=America/Los_Angeles}. The unit of the period is {@code us},
   * {@code ms}, {@code s}, {@code m}, {@code h} or {@code d}.
   *
   * @throws IllegalArgumentException with one line that says what is wrong with it
   */
  public static Limit parse(String spec) {
    return LimitSpec.parse(spec);
  }

  /** This limit with another capacity; only {@code gcra} and {@code token-bucket} have one. */
  public Limit burst(long burst) {
    LimitChecks.positive("burst", burst);
    if (!algorithm.hasBurst()) {
      throw new IllegalArgumentException(
          "burst=%d: a %s limit has no burst; only gcra and token-bucket have one"
              .formatted(burst, algorithm.specName()));
    }
    return new Limit(givenName, permits, period, algorithm, burst, unit, zone, maxQueued);
  }

  /** This limit as a token bucket that holds one period's permits. */
  public Limit tokenBucket() {
    return tokenBucket(permits);
  }

  /** This limit as a token bucket that holds {@code burst} permits. */
  public Limit tokenBucket(long burst) {
    return counted(Algorithm.TOKEN_BUCKET, burst, Optional.empty());
  }

  /**
   * This limit as a leaking bucket: one call an emission interval, and at most {@code maxQueued}
   * callers waiting for theirs. It is {@link Algorithm#GCRA} with a burst of 1 and a bounded queue.
   *
   * @param maxQueued at least 0; the next caller is refused at once
   */
  public Limit leakingBucket(int maxQueued) {
    if (maxQueued < 0) {
      throw new IllegalArgumentException("maxQueued=%d: must be at least 0".formatted(maxQueued));
    }
    return new Limit(
        givenName,
        permits,
        period,
        Algorithm.GCRA,
        1,
        unit,
        Optional.empty(),
        OptionalInt.of(maxQueued));
  }

  /** This limit counted in windows aligned to the epoch. */
  public Limit fixedWindow() {
    return counted(Algorithm.FIXED_WINDOW, permits, Optional.empty());
  }

  /**
   * This limit counted in windows of whole days that begin at midnight in a zone, daylight saving
   * included.
   */
  public Limit fixedWindow(ZoneId zone) {
    return counted(Algorithm.FIXED_WINDOW, permits, Optional.of(zone));
  }

  /** This limit counted over exactly the last period. */
  public Limit slidingWindowLog() {
    return counted(Algorithm.SLIDING_WINDOW_LOG, permits, Optional.empty());
  }

  /** This limit counted over the last period as estimated from two fixed windows. */
  public Limit slidingWindowCounter() {
    return counted(Algorithm.SLIDING_WINDOW_COUNTER, permits, Optional.empty());
  }

  /** This limit counting another unit, for example {@code tokens}. */
  public Limit unit(String unit) {
    if (unit.isBlank()) {
      throw new IllegalArgumentException("unit is blank: it must have a name, such as tokens");
    }
    return new Limit(givenName, permits, period, algorithm, burst, unit, zone, maxQueued);
  }

  /** This limit under a name, which messages and statistics then use. */
  public Limit named(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException("name is blank: leave it out, or give one");
    }
    return new Limit(name, permits, period, algorithm, burst, unit, zone, maxQueued);
  }

  private Limit counted(Algorithm as, long capacity, Optional<ZoneId> zone) {
    return new Limit(givenName, permits, period, as, capacity, unit, zone, OptionalInt.empty());
  }

  /** The name given, or else the limit as it is written. */
  public String name() {
    return givenName.isEmpty() ? toString() : givenName;
  }

  /** Permits in a period, at least 1. */
  public long permits() {
    return permits;
  }

  /** The period, a whole number of microseconds. */
  public Duration period() {
    return period;
  }

  /** The period in microseconds. */
  public long periodMicros() {
    return LimitChecks.micros(period);
  }

  /** How the calls are counted. */
  public Algorithm algorithm() {
    return algorithm;
  }

  /** What may start at one instant after a long rest; for windows, their permits. */
  public long burst() {
    return burst;
  }

  /** The largest cost that can ever conform: the burst, or a window's permits. */
  public long capacity() {
    return burst;
  }

  /** What is counted; {@value #REQUESTS} unless said otherwise. */
  public String unit() {
    return unit;
  }

  /** The zone at whose midnight the windows begin. */
  public Optional<ZoneId> zone() {
    return zone;
  }

  /** How many callers may wait, where the limit says so: a leaking bucket's queue. */
  public OptionalInt maxQueued() {
    return maxQueued;
  }

  /** Period ÷ permits. */
  public EmissionInterval emissionInterval() {
    return emissionInterval;
  }

  /**
   * Where a fixed window begins, and the two after it: for a store that counts the windows of a
   * zone but cannot compute them.
   *
   * @param epochMicros microseconds since the epoch, in the first window
   * @return three instants, in microseconds since the epoch
   */
  public long[] windowStarts(long epochMicros) {
    WindowGrid grid = new WindowGrid(this);
    long second = grid.endOf(epochMicros);
    return new long[] {grid.startOf(epochMicros), second, grid.endOf(second)};
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Limit that
        && permits == that.permits
        && burst == that.burst
        && algorithm == that.algorithm
        && period.equals(that.period)
        && givenName.equals(that.givenName)
        && unit.equals(that.unit)
        && zone.equals(that.zone)
        && maxQueued.equals(that.maxQueued);
  }

  @Override
  public int hashCode() {
    return Objects.hash(givenName, permits, period, algorithm, burst, unit, zone, maxQueued);
  }

  /** The limit as {@link #parse} reads it; the unit, the name and the queue have no place there. */
  @Override
  public String toString() {
    return LimitSpec.print(this);
  }
}
