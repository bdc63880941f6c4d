package dev.paceline.limit;

/** {@code sliding-window-counter}: the counts of two fixed windows, the older one weighted. */
final class SlidingCounter implements LimitSchedule {
  /*
   * The calls of the last period are estimated as those of the current window, plus those of the
   * previous one times the share of it that the last period still covers. With everything in
   * microseconds times permits, a cost conforms e µs into a window of P µs if
   *
   *   previous·(P − e) + (current + cost)·P ≤ permits·P
   *
   * which is solved for e in whole numbers. At the roll-over a full current window becomes a full
   * previous one and frees nothing at that instant. The true count of a sliding period can exceed the
   * limit by up to what the evenness assumed of the previous window hides.
   */
  private final long permits;
  private final long period;

  /** The most that a window is said to hold, so that the products stay exact. */
  private final long most;

  private long offset;
  private boolean used;

  /** First instant of the current window, on the wall clock. */
  private long start;

  private long current;
  private long previous;

  /** The latest instant charged, on the clock of the instants. */
  private long lastCharge;

  SlidingCounter(Limit limit) {
    this.permits = limit.permits();
    this.period = limit.periodMicros();
    this.most = ExactMath.MAX_EXACT / period;
  }

  @Override
  public long capacity() {
    return permits;
  }

  private long wall(long at) {
    long wall = at + offset;
    return used ? ExactMath.later(wall, start) : wall;
  }

  private long startOf(long wall) {
    return wall - Math.floorMod(wall, period);
  }

  private long currentAt(long windowStart) {
    return used && windowStart == start ? current : 0;
  }

  private long previousAt(long windowStart) {
    if (!used) {
      return 0;
    }
    if (windowStart == start) {
      return previous;
    }
    return windowStart - start == period ? current : 0;
  }

  @Override
  public long earliest(long at, long cost) {
    long wall = wall(at);
    long window = startOf(wall);
    long here = conforming(currentAt(window), previousAt(window), cost);
    if (here < period) {
      return ExactMath.later(wall, window + here) - offset;
    }
    long next = conforming(0, currentAt(window), cost);
    if (next < period) {
      return window + period + next - offset;
    }
    return window + 2 * period - offset;
  }

  /** How far into its window a cost conforms; the period, if not within it. */
  private long conforming(long inWindow, long before, long cost) {
    long free = permits - inWindow - cost;
    if (free < 0) {
      return period;
    }
    return before == 0 ? 0 : Math.max(0, period - free * period / before);
  }

  @Override
  public void take(long at, long cost) {
    long wall = wall(at);
    long window = startOf(wall);
    long before = previousAt(window);
    long already = currentAt(window);
    start = window;
    previous = before;
    current = Math.min(already + Math.min(cost, most), most);
    lastCharge = used ? ExactMath.later(lastCharge, at) : at;
    used = true;
  }

  @Override
  public long earliestBehind(long at, long ahead, long cost) {
    long wall = wall(at);
    long window = startOf(wall);
    long total = ExactMath.saturatedSum(ahead, cost);
    long windows = (ExactMath.saturatedSum(currentAt(window), total) - 1) / permits;
    if (windows == 0) {
      return earliest(at, total);
    }
    long passed = Math.min(windows, ExactMath.MAX_EXACT / period);
    return ExactMath.later(window + passed * period - offset, earliest(at, cost));
  }

  @Override
  public long remaining(long at) {
    long wall = wall(at);
    long window = startOf(wall);
    long left =
        (permits - currentAt(window)) * period - previousAt(window) * (window + period - wall);
    return Math.max(0, left / period);
  }

  @Override
  public long debt(long at) {
    return Math.max(0, permits - remaining(at));
  }

  @Override
  public void owe(long at, long debt) {
    if (debt > 0) {
      take(at, debt);
    }
  }

  @Override
  public void adjust(long chargedAt, long at, long delta) {
    if (!used) {
      return;
    }
    long bounded = Math.max(-most, Math.min(delta, most));
    long window = startOf(chargedAt + offset);
    if (window == start) {
      current = Math.max(0, Math.min(current + bounded, most));
    } else if (start - window == period) {
      previous = Math.max(0, Math.min(previous + bounded, most));
    }
  }

  /** As {@link FixedWindow#align}. */
  @Override
  public void align(long newOffset) {
    boolean far = offset - newOffset >= period;
    offset = newOffset;
    if (used && far) {
      start = startOf(lastCharge + offset);
    }
  }

  @Override
  public long fullAt() {
    if (!used || (current == 0 && previous == 0)) {
      return Long.MIN_VALUE;
    }
    return start + (current > 0 ? 2 * period : period) - offset;
  }

  @Override
  public LimitState state() {
    return used ? new LimitState.TwoWindows(start, current, previous) : new LimitState.Unused();
  }

  @Override
  public void restore(LimitState state) {
    if (state instanceof LimitState.TwoWindows windows) {
      used = true;
      start = startOf(windows.startMicros());
      current = Math.max(0, Math.min(windows.current(), most));
      previous = Math.max(0, Math.min(windows.previous(), most));
      lastCharge = start - offset;
    } else if (state instanceof LimitState.Unused) {
      used = false;
    }
  }

  /** The later window wins, then the larger count; within one window each count grows only. */
  @Override
  public void merge(LimitState state) {
    if (!(state instanceof LimitState.TwoWindows other)) {
      return;
    }
    if (!used || other.startMicros() - start > 0) {
      restore(other);
    } else if (other.startMicros() == start) {
      current = Math.min(Math.max(current, other.current()), most);
      previous = Math.min(Math.max(previous, other.previous()), most);
    }
  }
}
