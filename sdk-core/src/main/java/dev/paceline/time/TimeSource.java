package dev.paceline.time;

/**
 * Everything that Paceline knows about time: a monotonic ticker, a wall clock, a timer, and
 * parking.
 *
 * <p>Injected everywhere, so that each behaviour also runs in virtual time. Implementations are
 * thread-safe.
 */
public interface TimeSource {

  /**
   * A monotonic reading in nanoseconds with an arbitrary origin; it may be negative and may wrap.
   * Compare two readings by the sign of their difference.
   */
  long nanoTime();

  /** The wall clock: microseconds since 1970-01-01T00:00Z. It may step in both directions. */
  long epochMicros();

  /**
   * Runs {@code task} once, {@code delayNanos} from now, on a timer thread. The task must be brief
   * and must not block; what it throws is logged and dropped.
   *
   * @param delayNanos at most 0 for "as soon as possible"
   */
  Timer schedule(Runnable task, long delayNanos);

  /**
   * Parks the current thread for at most {@code nanos}, or until {@link #unpark} or an interrupt.
   * May return early for no reason.
   *
   * @param blocker named in thread dumps
   */
  void park(Object blocker, long nanos);

  /** Wakes {@code thread} out of {@link #park}, or makes its next park return at once. */
  void unpark(Thread thread);

  /** The time of this machine. All callers share one daemon timer thread, started when needed. */
  static TimeSource system() {
    return SystemTime.INSTANCE;
  }
}
