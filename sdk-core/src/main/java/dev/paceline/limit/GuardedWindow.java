package dev.paceline.limit;

import org.jspecify.annotations.Nullable;

/**
 * A window that can be put under a guard. A window has no emission interval that could be
 * lengthened; under a guard it is also a token bucket of its permits that refills at the guarded
 * interval.
 */
final class GuardedWindow implements LimitSchedule {
  private final LimitSchedule window;
  private final EmissionInterval pace;

  /** Absent while there is no guard. */
  private @Nullable Gcra bucket;

  GuardedWindow(LimitSchedule window, Limit limit) {
    this.window = window;
    this.pace = limit.emissionInterval();
  }

  @Override
  public long capacity() {
    return window.capacity();
  }

  @Override
  public long earliest(long at, long cost) {
    long start = window.earliest(at, cost);
    return bucket == null ? start : ExactMath.later(start, bucket.earliest(at, cost));
  }

  @Override
  public void take(long at, long cost) {
    window.take(at, cost);
    if (bucket != null) {
      bucket.take(at, cost);
    }
  }

  @Override
  public long earliestBehind(long at, long ahead, long cost) {
    long start = window.earliestBehind(at, ahead, cost);
    return bucket == null ? start : ExactMath.later(start, bucket.earliestBehind(at, ahead, cost));
  }

  @Override
  public long remaining(long at) {
    long left = window.remaining(at);
    return bucket == null ? left : Math.min(left, bucket.remaining(at));
  }

  @Override
  public long debt(long at) {
    return window.debt(at);
  }

  @Override
  public void owe(long at, long debt) {
    window.owe(at, debt);
  }

  @Override
  public void adjust(long chargedAt, long at, long delta) {
    window.adjust(chargedAt, at, delta);
    if (bucket != null) {
      bucket.adjust(chargedAt, at, delta);
    }
  }

  @Override
  public void guard(long extraMicros) {
    if (extraMicros == 0) {
      bucket = null;
      return;
    }
    if (bucket == null) {
      bucket = new Gcra(pace, window.capacity());
    }
    bucket.guard(extraMicros);
  }

  @Override
  public void align(long offsetMicros) {
    window.align(offsetMicros);
  }

  @Override
  public long fullAt() {
    long full = window.fullAt();
    if (bucket == null || bucket.fullAt() == Long.MIN_VALUE) {
      return full;
    }
    return full == Long.MIN_VALUE ? bucket.fullAt() : ExactMath.later(full, bucket.fullAt());
  }

  @Override
  public LimitState state() {
    return window.state();
  }

  @Override
  public void restore(LimitState state) {
    window.restore(state);
  }

  @Override
  public void merge(LimitState state) {
    window.merge(state);
  }
}
