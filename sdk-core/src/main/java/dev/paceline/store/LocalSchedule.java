package dev.paceline.store;

import dev.paceline.limit.GroupSchedule;
import dev.paceline.limit.LimitState;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One group's schedule in this process: a cell for permits that are free at once, and a locked
 * schedule for everything else, made when it is needed. Once retired it is used no more.
 */
final class LocalSchedule extends AtomicGcra {

  /*
   * While the cell is open its number is the state. Whoever locks closes it and takes the number
   * over; it opens again only when nothing counts any more, or when what was charged since then
   * began at once: so what rounding a change of hands costs is paid once, not by each caller.
   */

  private static final VarHandle LOCKED;

  static {
    try {
      LOCKED =
          MethodHandles.lookup().findVarHandle(LocalSchedule.class, "locked", LockedSchedule.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final LocalShape shape;
  private volatile @Nullable LockedSchedule locked;

  LocalSchedule(LocalShape shape) {
    super(shape.ticks(), shape.clock().nanos());
    this.shape = shape;
    if (!shape.hasCell()) {
      LimitState unused = close(shape.clock().nanos(), 0, 0);
      assert unused instanceof LimitState.Unused;
    }
  }

  LocalShape shape() {
    return shape;
  }

  /** Locks, and hands the cell's state over; null if this schedule is retired. */
  @Nullable LockedSchedule lock() {
    LockedSchedule own = locked;
    if (own == null) {
      own = new LockedSchedule(shape.clock(), new GroupSchedule(shape.limits()));
      if (!LOCKED.compareAndSet(this, null, own)) {
        own = locked;
      }
    }
    if (own == null || own == shape.retired()) {
      return null;
    }
    own.lock();
    if (locked != own) {
      own.unlock();
      return null;
    }
    if (!isClosed()) {
      long nanos = shape.clock().nanos();
      own.restore(close(nanos, shape.clock().micros(nanos), shape.clock().past(nanos)));
    }
    return own;
  }

  /**
   * Unlocks.
   *
   * @param began whether everything charged since the schedule was as good as new began at once
   */
  void unlock(LockedSchedule own, boolean began) {
    if (shape.hasCell()) {
      long nanos = shape.clock().nanos();
      long now = shape.clock().micros(nanos);
      if (own.isPlain(now) && (began || own.isNew(now))) {
        open(
            own.isNew(now) ? new LimitState.Unused() : own.state(),
            nanos,
            now,
            shape.clock().past(nanos));
      }
    }
    own.unlock();
  }

  /**
   * Retires the schedule if it is as good as new.
   *
   * @param idleNanos and has been for so long
   */
  boolean retireIfNew(long idleNanos) {
    LockedSchedule own = locked;
    if (own == null) {
      // Whoever locks from here on finds the cell closed, and then the mark.
      return closeIfIdle(shape.clock().nanos() - idleNanos) && retire(null);
    }
    own = lock();
    if (own == null) {
      return true;
    }
    long now = shape.clock().micros();
    boolean retired = own.isNew(now) && own.fullAt() <= now - idleNanos / 1_000 && retire(own);
    if (retired) {
      own.unlock();
    } else {
      unlock(own, false);
    }
    return retired;
  }

  private boolean retire(@Nullable LockedSchedule own) {
    return LOCKED.compareAndSet(this, own, shape.retired());
  }

  /** Retires this schedule in favour of one with other limits, which keeps the debt. */
  LocalSchedule succeeded(LockedSchedule own, LocalShape next) {
    LocalSchedule successor = new LocalSchedule(next);
    LimitState given = successor.close(next.clock().nanos(), 0, 0);
    assert given instanceof LimitState.Unused;
    successor.locked = own.reconfigured(next.limits());
    retire(own);
    own.unlock();
    return successor;
  }

  List<dev.paceline.limit.Limit> limits() {
    return shape.limits();
  }
}
