package dev.paceline.pace;

import dev.paceline.event.RefusalReason;
import dev.paceline.limit.InFlight;
import dev.paceline.store.Ask;
import dev.paceline.store.Group;
import dev.paceline.store.Reply;
import dev.paceline.store.ScheduleStore;
import dev.paceline.time.TimeSource;
import dev.paceline.time.Timer;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The callers of one group that wait in this process, and the permits reserved for them.
 *
 * <p>Thread-safe.
 */
final class Pacer {

  /*
   * Callers queue in the lane; the store is asked for permits only while there are callers without
   * one, with at most one ask in flight, and again when the last permit of the turn is nearly due. A
   * permit is bound to the best caller when it falls due, not when it was reserved.
   *
   * Every entrance (enter, cancel, reply, timer, cooldown) changes the lane under the lock and then
   * runs: the lane steps under the lock, callers are told and the store is asked outside it. An
   * answer that comes within the asking call is taken up by the same loop, so that a store in
   * process costs no recursion.
   */

  private final ScheduleStore store;
  private final TimeSource time;
  private final long quantumNanos;

  /** Written under the lock. */
  private volatile Cadence cadence;

  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final Gate gate;
  private final Lane lane;
  private boolean closed;
  private boolean retired;
  private final Delayed delayed = new Delayed();
  private @Nullable Timer timer;
  private long timerAt;

  /**
   * A pacer without callers.
   *
   * @param inFlight how many calls may be in flight; null for any number
   */
  Pacer(Group group, ScheduleStore store, TimeSource time, Pace pace, @Nullable InFlight inFlight) {
    this.store = store;
    this.time = time;
    this.quantumNanos = pace.quantumNanos();
    this.gate = new Gate(store.slots(), group.key(), inFlight);
    this.lane = new Lane(group, store, pace, gate);
    this.cadence = adopt(group);
  }

  private Cadence adopt(Group next) {
    long[] one = new long[next.limits().size()];
    Arrays.fill(one, 1);
    long interval = Turn.intervalNanos(next.limits(), one);
    lane.regroup(next, interval);
    return Cadence.of(next, interval, quantumNanos);
  }

  /** Goes on with the limits that a caller comes with, if they are as many. */
  void regroup(Group next) {
    lock.lock();
    try {
      if (next.limits().size() == group().limits().size()) {
        cadence = adopt(next);
      }
    } finally {
      lock.unlock();
    }
  }

  Group group() {
    return cadence.group();
  }

  /**
   * Takes the caller in, or refuses it at once. It is told through {@link Waiter.Settled}, possibly
   * within this call.
   *
   * @param delayNanos the caller must not start before this from now: it is judged by it at once,
   *     and enters when it is over
   * @return false if this pacer was retired: its successor takes the caller in
   */
  boolean enter(Waiter waiter, long delayNanos) {
    Outbox out = new Outbox();
    lock.lock();
    try {
      if (retired) {
        return false;
      }
      admit(waiter, delayNanos, out);
    } finally {
      lock.unlock();
    }
    run(out);
    return true;
  }

  private void admit(Waiter waiter, long delayNanos, Outbox out) {
    RefusalReason refusal =
        closed ? RefusalReason.CLOSED : lane.judge(waiter, delayNanos, time.nanoTime());
    if (refusal != null) {
      waiter.refuse(refusal, waiter.needed);
      out.add(waiter);
    } else if (delayNanos > 0) {
      delayed.add(waiter, time.schedule(() -> delayOver(waiter), delayNanos));
    } else {
      lane.add(waiter);
    }
  }

  private void delayOver(Waiter waiter) {
    Outbox out = new Outbox();
    lock.lock();
    try {
      if (delayed.remove(waiter)) {
        waiter.state = Waiter.State.NEW;
        admit(waiter, 0, out);
      }
    } finally {
      lock.unlock();
    }
    run(out);
  }

  /** Takes a permit that was reserved ahead, if there is one for this cost: it is due now. */
  boolean takeAhead(long[] cost, long now) {
    lock.lock();
    try {
      return lane.takeAhead(cost, now);
    } finally {
      lock.unlock();
    }
  }

  /** Ends the wait of a caller; false if it was settled before. */
  boolean cancel(Waiter waiter, RefusalReason why) {
    Outbox out = new Outbox();
    lock.lock();
    try {
      if (waiter.isSettled()) {
        return false;
      }
      if (!delayed.remove(waiter) && waiter.state == Waiter.State.WAITING) {
        lane.remove(waiter);
      }
      waiter.refuse(why, 0);
      out.add(waiter);
    } finally {
      lock.unlock();
    }
    run(out);
    return true;
  }

  /**
   * A permit comes back unused: the next caller here gets it, if one comes while it is valid.
   *
   * @return false if this pacer was retired and cannot keep it
   */
  boolean giveBack(long due, long[] cost) {
    lock.lock();
    try {
      if (retired || closed) {
        return false;
      }
      lane.keep(due, cost);
    } finally {
      lock.unlock();
    }
    run(new Outbox());
    return true;
  }

  /** Nobody starts before {@code until}: permits due earlier are void, their callers wait on. */
  void cooldown(long until) {
    Outbox out = new Outbox();
    lock.lock();
    try {
      long now = time.nanoTime();
      lane.coolUntil(until, now);
      lane.refuseHopeless(now, out);
    } finally {
      lock.unlock();
    }
    run(out);
  }

  void cooldownCleared() {
    lock.lock();
    try {
      lane.cooldownCleared(time.nanoTime());
    } finally {
      lock.unlock();
    }
    run(new Outbox());
  }

  /** The schedule was moved by another worker: so are the permits reserved here. */
  void moved(long micros) {
    lock.lock();
    try {
      lane.moveBy(micros * 1_000);
    } finally {
      lock.unlock();
    }
    run(new Outbox());
  }

  /**
   * The request of a permit has left. Sent much later than due it comes too close to the next ones,
   * which therefore move.
   *
   * @param due the permit's start
   * @param sent when the request left
   * @return whether it was late
   */
  boolean sent(long due, long sent, long[] cost) {
    Cadence seen = cadence;
    if (sent - due <= seen.tolerableNanos()) {
      return false;
    }
    long tellNow = 0;
    lock.lock();
    try {
      lane.moveBy(lane.lateness.move(due, sent, Turn.intervalNanos(seen.group().limits(), cost)));
      if (seen.tellAtOnce()) {
        tellNow = lane.lateness.take();
      }
    } finally {
      lock.unlock();
    }
    if (tellNow > 0) {
      store.late(seen.group(), tellNow);
    }
    run(new Outbox());
    return true;
  }

  /** Calls in flight have ended: one who waits may start. */
  void slotFree() {
    lock.lock();
    try {
      gate.slotFree();
    } finally {
      lock.unlock();
    }
    run(new Outbox());
  }

  /** Refuses everybody, now and from now on. */
  void close() {
    Outbox out = new Outbox();
    lock.lock();
    try {
      closed = true;
      lane.refuseAll(RefusalReason.CLOSED, out);
      delayed.refuseAll(RefusalReason.CLOSED, out);
    } finally {
      lock.unlock();
    }
    run(out);
  }

  /** Retires this pacer if nobody waits and nothing is reserved or in flight. */
  boolean retireIfIdle() {
    lock.lock();
    try {
      retired |= delayed.size() == 0 && lane.idle(time.nanoTime());
      return retired;
    } finally {
      lock.unlock();
    }
  }

  /** True while somebody waits, or permits are kept for the next caller. */
  boolean busy() {
    lock.lock();
    try {
      return !lane.idle(time.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  int reserved() {
    lock.lock();
    try {
      return lane.reserved();
    } finally {
      lock.unlock();
    }
  }

  int queued() {
    lock.lock();
    try {
      return lane.queued() + delayed.size();
    } finally {
      lock.unlock();
    }
  }

  /** Steps until there is nothing to ask, or the answer is on its way. */
  void run(Outbox out) {
    while (true) {
      Ask ask;
      Gate.Errand errand;
      lock.lock();
      try {
        long now = time.nanoTime();
        ask = lane.step(now, out);
        errand = gate.errand(lane.queued() > 0);
        arm(now);
      } finally {
        lock.unlock();
      }
      out.deliver();
      if (errand != null) {
        errand.run();
      }
      if (ask == null) {
        return;
      }
      Answer answer = new Answer(this, ask);
      store.ask(ask, answer);
      if (!answer.cameAtOnce(out)) {
        return;
      }
    }
  }

  void take(Ask ask, Reply reply, Outbox out) {
    lock.lock();
    try {
      lane.replied(ask, reply, time.nanoTime(), out);
    } finally {
      lock.unlock();
    }
  }

  private void arm(long now) {
    long wait = lane.nextEvent(now);
    if (wait == Long.MAX_VALUE) {
      return;
    }
    long at = now + wait;
    if (timer != null) {
      if (timerAt - at <= 0) {
        return;
      }
      timer.cancel();
    }
    timerAt = at;
    timer = time.schedule(this::wake, wait);
  }

  private void wake() {
    lock.lock();
    try {
      timer = null;
    } finally {
      lock.unlock();
    }
    run(new Outbox());
  }
}
