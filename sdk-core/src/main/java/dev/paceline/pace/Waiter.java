package dev.paceline.pace;

import dev.paceline.event.RefusalReason;
import dev.paceline.store.Slot;
import dev.paceline.time.Timer;
import org.jspecify.annotations.Nullable;

/**
 * A caller in the queue of one group.
 *
 * <p>Its links and state belong to the pacer's lock until it is settled; after that they no longer
 * change, and whoever is told of it may read them.
 */
final class Waiter {

  /** Told once when the waiter is settled, outside every lock, on any thread. */
  interface Settled {
    void settled(Waiter waiter);
  }

  enum State {
    NEW,
    DELAYED,
    WAITING,
    GRANTED,
    REFUSED
  }

  final long[] cost;
  final int priority;

  /** When its call first asked, a reading of the ticker: a retry keeps its place by it. */
  final long age;

  final long deadline;
  final Settled to;

  State state = State.NEW;

  /** The permit's due time when granted. */
  long start;

  /** By how much a refused caller would have had to wait, in nanoseconds. */
  long needed;

  @Nullable RefusalReason reason;

  /** Its slot when granted, where its group has them. */
  @Nullable Slot slot;

  /** Fires when a caller that must not start yet may enter. */
  @Nullable Timer delay;

  @Nullable Waiter previous;
  @Nullable Waiter next;
  int heapIndex = -1;

  Waiter(long[] cost, int priority, long age, long deadline, Settled to) {
    this.cost = cost;
    this.priority = priority;
    this.age = age;
    this.deadline = deadline;
    this.to = to;
  }

  boolean isSettled() {
    return state == State.GRANTED || state == State.REFUSED;
  }

  void grant(long due, @Nullable Slot taken) {
    state = State.GRANTED;
    slot = taken;
    start = due;
  }

  void refuse(RefusalReason why, long neededNanos) {
    state = State.REFUSED;
    reason = why;
    needed = Math.max(0, neededNanos);
  }
}
