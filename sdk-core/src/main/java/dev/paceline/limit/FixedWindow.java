package dev.paceline.limit;

/** {@code fixed-window}: the count of the window last charged. */
final class FixedWindow implements LimitSchedule {
  /*
   * A window that a charge has reached is not left backwards: what asks for an earlier instant is
   * answered from that window's start. Within it any instant is as good as another, so calls may start
   * before others that were reserved earlier. Twice the limit can pass in one period that straddles a
   * boundary; that is what the algorithm promises.
   */
  private final WindowGrid grid;
  private final long permits;
  private final long periodMicros;

  /** Wall clock minus the clock of the instants. */
  private long offset;

  private boolean used;

  /** On the wall clock. */
  private long start;

  private long count;

  /** The latest instant charged, on the clock of the instants. */
  private long lastCharge;

  FixedWindow(Limit limit) {
    this.grid = new WindowGrid(limit);
    this.permits = limit.permits();
    this.periodMicros = limit.periodMicros();
  }

  @Override
  public long capacity() {
    return permits;
  }

  /** The wall clock at an instant, but not before the window last charged. */
  private long wall(long at) {
    long wall = at + offset;
    return used ? ExactMath.later(wall, start) : wall;
  }

  private long countAt(long wall) {
    return used && grid.startOf(wall) == start ? count : 0;
  }

  @Override
  public long earliest(long at, long cost) {
    long wall = wall(at);
    if (countAt(wall) + cost <= permits) {
      return wall - offset;
    }
    return grid.endOf(wall) - offset;
  }

  @Override
  public void take(long at, long cost) {
    long wall = wall(at);
    long already = countAt(wall);
    start = grid.startOf(wall);
    count = Math.min(already + Math.min(cost, ExactMath.MAX_EXACT), ExactMath.MAX_EXACT);
    lastCharge = used ? ExactMath.later(lastCharge, at) : at;
    used = true;
  }

  @Override
  public long earliestBehind(long at, long ahead, long cost) {
    long wall = wall(at);
    long position = ExactMath.saturatedSum(countAt(wall), ExactMath.saturatedSum(ahead, cost));
    long windows = (position - 1) / permits;
    return windows == 0 ? wall - offset : grid.startAfter(wall, windows) - offset;
  }

  @Override
  public long remaining(long at) {
    return Math.max(0, permits - debt(at));
  }

  @Override
  public long debt(long at) {
    return countAt(wall(at));
  }

  @Override
  public void owe(long at, long debt) {
    if (debt > 0) {
      take(at, debt);
    }
  }

  @Override
  public void adjust(long chargedAt, long at, long delta) {
    if (used && grid.startOf(chargedAt + offset) == start) {
      long most = Math.max(-ExactMath.MAX_EXACT, Math.min(delta, ExactMath.MAX_EXACT));
      count = Math.max(0, Math.min(count + most, ExactMath.MAX_EXACT));
    }
  }

  /**
   * Sets the wall clock's offset. One that steps back by less than a period leaves the window where
   * it is; one that steps back further takes the count along, to the window in which the last
   * charge now lies, so that nobody waits for the clock to come back.
   */
  @Override
  public void align(long newOffset) {
    boolean far = offset - newOffset >= periodMicros;
    offset = newOffset;
    if (used && far) {
      start = grid.startOf(lastCharge + offset);
    }
  }

  @Override
  public long fullAt() {
    return used && count > 0 ? grid.endOf(start) - offset : Long.MIN_VALUE;
  }

  @Override
  public LimitState state() {
    return used ? new LimitState.Window(start, count) : new LimitState.Unused();
  }

  @Override
  public void restore(LimitState state) {
    if (state instanceof LimitState.Window window) {
      used = true;
      start = grid.startOf(window.startMicros());
      count = Math.max(0, Math.min(window.count(), ExactMath.MAX_EXACT));
      lastCharge = start - offset;
    } else if (state instanceof LimitState.Unused) {
      used = false;
    }
  }

  @Override
  public void merge(LimitState state) {
    if (state instanceof LimitState.Window other
        && (!used
            || other.startMicros() - start > 0
            || (other.startMicros() == start && other.count() > count))) {
      restore(other);
    }
  }
}
