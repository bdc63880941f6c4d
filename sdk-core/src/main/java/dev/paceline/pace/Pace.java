package dev.paceline.pace;

/**
 * How a worker takes turns.
 *
 * @param quantumNanos a turn is the run of permits that start within this of its first
 * @param leadNanos how long before its last permit is due a worker asks for its next turn
 * @param maxQueued how many callers may wait for one group
 * @param ahead whether busy workers reserve permits for the callers that they expect
 */
public record Pace(long quantumNanos, long leadNanos, int maxQueued, boolean ahead) {

  /** 20 ms, 3 ms, 10,000 callers, and permits ahead. */
  public static Pace standard() {
    return new Pace(20_000_000, 3_000_000, 10_000, true);
  }

  /** The same with another longest queue. */
  public Pace withMaxQueued(int callers) {
    return new Pace(quantumNanos, leadNanos, callers, ahead);
  }
}
