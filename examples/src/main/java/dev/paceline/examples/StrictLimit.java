package dev.paceline.examples;

/**
 * A provider's own limit: so many requests a second, and so many at once after a rest. It is
 * written independently of the SDK, on a monotonic clock, and a refused request costs nothing.
 */
final class StrictLimit {
  private final long intervalNanos;
  private final long toleranceNanos;
  private boolean fresh = true;
  private long nextOnSchedule;

  StrictLimit(int perSecond, int burst) {
    intervalNanos = 1_000_000_000L / perSecond;
    toleranceNanos = intervalNanos * (burst - 1);
  }

  /** Whether a request that comes now is accepted; it is counted if it is. */
  synchronized boolean accepts(long now) {
    long due = fresh || nextOnSchedule - now < 0 ? now : nextOnSchedule;
    if (due - now > toleranceNanos) {
      return false;
    }
    fresh = false;
    nextOnSchedule = due + intervalNanos;
    return true;
  }
}
