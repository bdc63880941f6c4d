package dev.paceline.limit;

import java.util.Optional;

/** How a provider counts the calls of one limit. */
public enum Algorithm {
  /**
   * The generic cell rate algorithm, the leaking bucket's counter form: one call an emission
   * interval, with a burst of 1 unless said otherwise.
   */
  GCRA("gcra"),
  /** The same arithmetic with a burst of one period's permits unless said otherwise. */
  TOKEN_BUCKET("token-bucket"),
  /** Counts calls in windows aligned to the epoch, or to midnight in a time zone. */
  FIXED_WINDOW("fixed-window"),
  /** Counts the calls of exactly the last period. */
  SLIDING_WINDOW_LOG("sliding-window-log"),
  /** Estimates the last period's calls from the counts of two fixed windows. */
  SLIDING_WINDOW_COUNTER("sliding-window-counter");

  private final String specName;

  Algorithm(String specName) {
    this.specName = specName;
  }

  /**
   * The name by which a {@linkplain Limit#parse(String) written limit} refers to this algorithm.
   */
  public String specName() {
    return specName;
  }

  /** Whether the limit's capacity is its burst; otherwise it is its permits. */
  public boolean hasBurst() {
    return this == GCRA || this == TOKEN_BUCKET;
  }

  /** The algorithm of that {@link #specName()}. */
  public static Optional<Algorithm> named(String specName) {
    for (Algorithm algorithm : values()) {
      if (algorithm.specName.equals(specName)) {
        return Optional.of(algorithm);
      }
    }
    return Optional.empty();
  }
}
