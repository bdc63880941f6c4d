package dev.paceline.retry;

import dev.failsafe.CircuitBreaker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * An upstream's circuit breaker: after {@code failures} of the last {@code outOf} attempts failed
 * at the server, attempts are refused without costing a permit, until one after {@code openFor} is
 * let through to try. Thread-safe.
 *
 * <p>Only 5xx answers and failures of the connection count. A throttle says that we are too fast,
 * not that the upstream is ill; a cancelled attempt says nothing.
 *
 * <p>States and counts are Failsafe's. Its clock is not injectable and a permit of its half-open
 * state comes back only with a result, so opening times and probes are kept here.
 */
public final class UpstreamBreaker {

  /** What {@link #tryAcquire} answers when the circuit is open. */
  static final long REFUSED = 0;

  private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

  private final String upstream;
  private final long openNanos;
  private final LongSupplier nanoTime;
  private final CircuitBreaker<Object> circuit;
  private final ReentrantLock lock = new ReentrantLock();

  /* Guarded by the lock. */
  private long openedAt;
  private boolean probing;

  /** Counts the changes of state, from 1: an outcome counts only in the state it began in. */
  private final AtomicLong period = new AtomicLong(1);

  private UpstreamBreaker(
      String upstream, int failures, int outOf, Duration openFor, LongSupplier nanoTime) {
    this.upstream = upstream;
    this.openNanos = FullJitter.saturatedNanos(openFor);
    this.nanoTime = nanoTime;
    this.circuit =
        CircuitBreaker.builder()
            .withFailureThreshold(failures, outOf)
            .withSuccessThreshold(1)
            .withDelay(FOREVER)
            .build();
  }

  /**
   * A closed breaker.
   *
   * @param upstream named in refusals
   * @param failures 1 or more failed attempts open it
   * @param outOf that many of the last so many attempts; at least {@code failures}
   * @param openFor more than 0: how long it stays open before one attempt is let through
   * @param nanoTime a monotonic clock in nanoseconds
   * @throws IllegalArgumentException if a number is out of range
   */
  public static UpstreamBreaker create(
      String upstream, int failures, int outOf, Duration openFor, LongSupplier nanoTime) {
    if (failures < 1) {
      throw new IllegalArgumentException("failures is " + failures + "; it must be 1 or more");
    }
    if (outOf < failures || outOf > 10_000) {
      throw new IllegalArgumentException(
          "outOf is " + outOf + "; it must be from failures, " + failures + ", to 10000");
    }
    if (openFor.isNegative() || openFor.isZero()) {
      throw new IllegalArgumentException("openFor is " + openFor + "; it must be more than 0");
    }
    return new UpstreamBreaker(upstream, failures, outOf, openFor, nanoTime);
  }

  /** Whether an attempt made now would be refused. */
  public boolean isOpen() {
    if (circuit.isClosed()) {
      return false;
    }
    lock.lock();
    try {
      return remainingNanos() > 0 || (circuit.isHalfOpen() && probing);
    } finally {
      lock.unlock();
    }
  }

  /** A refusal for the caller. */
  CircuitOpenException refusal() {
    return new CircuitOpenException(upstream, Duration.ofNanos(remainingNanos()));
  }

  private long remainingNanos() {
    lock.lock();
    try {
      return circuit.isOpen() ? Math.max(0, openNanos - (nanoTime.getAsLong() - openedAt)) : 0;
    } finally {
      lock.unlock();
    }
  }

  /** Lets an attempt through and returns its ticket, or {@link #REFUSED}. */
  long tryAcquire() {
    if (circuit.isClosed()) {
      return period.get();
    }
    lock.lock();
    try {
      if (circuit.isOpen() && nanoTime.getAsLong() - openedAt >= openNanos) {
        circuit.halfOpen();
        period.incrementAndGet();
        probing = false;
      }
      if (circuit.isOpen() || (circuit.isHalfOpen() && probing)) {
        return REFUSED;
      }
      probing = circuit.isHalfOpen();
      return period.get();
    } finally {
      lock.unlock();
    }
  }

  /** Whether an attempt that was let through may still go on: the circuit has not opened since. */
  boolean stillLetsThrough(long ticket) {
    return ticket == period.get() || circuit.isClosed();
  }

  /** The attempt showed how the upstream is. */
  void record(long ticket, boolean healthy) {
    lock.lock();
    try {
      if (ticket != period.get()) {
        return;
      }
      CircuitBreaker.State before = circuit.getState();
      if (healthy) {
        circuit.recordSuccess();
      } else {
        circuit.recordFailure();
      }
      if (circuit.getState() != before) {
        period.incrementAndGet();
        openedAt = nanoTime.getAsLong();
        probing = false;
      }
    } finally {
      lock.unlock();
    }
  }

  /** The attempt was not made, or showed nothing. */
  void release(long ticket) {
    lock.lock();
    try {
      if (ticket == period.get()) {
        probing = false;
      }
    } finally {
      lock.unlock();
    }
  }
}
