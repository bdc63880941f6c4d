package dev.paceline.store;

import dev.paceline.limit.Limit;
import dev.paceline.limit.LimitState;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One limit of {@code gcra} or {@code token-bucket} in one number that is changed without a lock:
 * for callers that are allowed at once. Allocates nothing, and costs one compare-and-set beside the
 * caller's reading of the clock. Thread-safe.
 *
 * <p>Whatever needs more than that closes the cell: every attempt then fails, and the caller takes
 * its owner's locked way. Closing and opening are the owner's, under its lock. Not final, because
 * an owner that extends it saves an object a key.
 */
class AtomicGcra {
  /** In place of a theoretical arrival time. */
  private static final long CLOSED = Long.MIN_VALUE;

  private static final long FARTHEST_TICKS = 1L << 61;

  private static final VarHandle TAT;

  static {
    try {
      TAT = MethodHandles.lookup().findVarHandle(AtomicGcra.class, "tat", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final GcraTicks ticks;

  /** The theoretical arrival time in ticks, wrapping; or {@link #CLOSED}. */
  private volatile long tat;

  /**
   * An open cell that has charged nothing.
   *
   * @param nanoNow a reading of the monotonic clock that all later readings come from
   */
  AtomicGcra(GcraTicks ticks, long nanoNow) {
    this.ticks = ticks;
    this.tat = open(idle(nanoNow));
  }

  /** Whether a cell can hold a limit; one whose interval needs too fine a tick stays locked. */
  static boolean eligible(Limit limit) {
    return GcraTicks.of(limit).isPresent();
  }

  /** Charges one permit at a reading of the clock, if it conforms there and the cell is open. */
  final boolean tryTake(long nanoNow) {
    return tryCharge(nanoNow * ticks.perNano(), ticks.interval());
  }

  /**
   * Charges a cost at a reading of the clock, if it conforms there and the cell is open.
   *
   * @param cost at least 1
   */
  final boolean tryTake(long nanoNow, long cost) {
    return cost <= ticks.tolerance() / ticks.interval()
        && tryCharge(nanoNow * ticks.perNano(), cost * ticks.interval());
  }

  private boolean tryCharge(long now, long charge) {
    long slack = ticks.tolerance() - charge;
    while (true) {
      long seen = tat;
      // The difference, since the clock may wrap.
      long debt = Math.max(0, seen - now);
      if (debt > slack || seen == CLOSED) {
        return false;
      }
      if (TAT.compareAndSet(this, seen, open(now + debt + charge))) {
        return true;
      }
    }
  }

  /**
   * Gives back what time has not paid for already of a charge, as a locked schedule of this state
   * would.
   *
   * @param nanoNow a reading of the clock
   * @param chargedNanos the reading at which it was charged
   * @param cost at least 1
   * @return false if the cell is closed, or never held so large a cost
   */
  final boolean tryGiveBack(long nanoNow, long chargedNanos, long cost) {
    if (cost > ticks.tolerance() / ticks.interval()) {
      return false;
    }
    long span = cost * ticks.interval();
    long now = nanoNow * ticks.perNano();
    long charged = chargedNanos * ticks.perNano();
    while (true) {
      long seen = tat;
      if (seen == CLOSED) {
        return false;
      }
      // The last charge was of one permit at the least, so it was not after this.
      long last = seen - ticks.interval();
      boolean chargedSince = last - charged > 0;
      long paid = chargedSince ? (now - last > 0 ? now : last) - charged : 0;
      long unpaid = now - last > 0 ? Math.min(span - paid, seen - now) : span - paid;
      if (unpaid <= 0 || TAT.compareAndSet(this, seen, open(seen - unpaid))) {
        return true;
      }
    }
  }

  /** A theoretical arrival time that has passed. */
  private long idle(long nanoNow) {
    return nanoNow * ticks.perNano() - ticks.interval();
  }

  /** The one number that means closed is passed over, a tick late. */
  private static long open(long tat) {
    return tat == CLOSED ? tat + 1 : tat;
  }

  /** Whether every attempt fails. */
  final boolean isClosed() {
    return tat == CLOSED;
  }

  /** Whole permits left; 0 while closed. */
  final long remaining(long nanoNow) {
    long seen = tat;
    if (seen == CLOSED) {
      return 0;
    }
    long debt = Math.max(0, seen - nanoNow * ticks.perNano());
    return Math.max(0, ticks.tolerance() - debt) / ticks.interval();
  }

  /** How long until a cost conforms, in nanoseconds: 0 if it does now, or while closed. */
  final long nanosUntil(long nanoNow, long cost) {
    long seen = tat;
    if (seen == CLOSED) {
      return 0;
    }
    long debt = Math.max(0, seen - nanoNow * ticks.perNano());
    return ceilNanos(Math.max(0, debt + cost * ticks.interval() - ticks.tolerance()));
  }

  /** Closes the cell if nothing that was charged counts any more; false if something does. */
  final boolean closeIfIdle(long nanoNow) {
    long seen = tat;
    return seen != CLOSED
        && seen - nanoNow * ticks.perNano() <= 0
        && TAT.compareAndSet(this, seen, CLOSED);
  }

  /** How long until nothing that was charged counts any more, in nanoseconds; 0 while closed. */
  final long nanosToFull(long nanoNow) {
    long seen = tat;
    return seen == CLOSED ? 0 : ceilNanos(Math.max(0, seen - nanoNow * ticks.perNano()));
  }

  private long ceilNanos(long wait) {
    return -Math.floorDiv(-wait, ticks.perNano());
  }

  /**
   * Makes every attempt fail from now on, and hands over what was charged.
   *
   * @param nanoNow a reading of the clock
   * @param atMicros the same instant on the microsecond clock of the owner's schedule, rounded down
   * @param nanosPast by how much it was rounded down, 0 to 999
   * @return the state, exact where the clock's readings were whole microseconds and otherwise
   *     rounded up to a fraction of one; unused if nothing counts any more, or if the cell was
   *     closed already
   */
  final LimitState close(long nanoNow, long atMicros, long nanosPast) {
    long last = (long) TAT.getAndSet(this, CLOSED);
    long debt = last - nanoNow * ticks.perNano();
    if (last == CLOSED || debt <= 0) {
      return new LimitState.Unused();
    }
    long owed = debt + nanosPast * ticks.perNano();
    long micros = owed / ticks.perMicro();
    long remainder = -Math.floorDiv(-(owed % ticks.perMicro()), ticks.perRemainder());
    return remainder == ticks.divisor()
        ? new LimitState.Arrival(atMicros + micros + 1, 0)
        : new LimitState.Arrival(atMicros + micros, remainder);
  }

  /**
   * Takes a locked schedule's state over and lets attempts succeed again.
   *
   * @param state of the same limit
   * @param nanoNow a reading of the clock
   * @param atMicros the same instant on the microsecond clock of the owner's schedule, rounded down
   * @param nanosPast by how much it was rounded down, 0 to 999
   * @return whether it is open; it stays closed if the schedule is too far ahead
   */
  final boolean open(LimitState state, long nanoNow, long atMicros, long nanosPast) {
    long next = idle(nanoNow);
    if (state instanceof LimitState.Arrival arrival && arrival.tatMicros() - atMicros >= 0) {
      long micros = arrival.tatMicros() - atMicros;
      if (micros > FARTHEST_TICKS / ticks.perMicro()) {
        return false;
      }
      next =
          (nanoNow - nanosPast) * ticks.perNano()
              + micros * ticks.perMicro()
              + arrival.remainder() * ticks.perRemainder();
    }
    tat = open(next);
    return true;
  }
}
