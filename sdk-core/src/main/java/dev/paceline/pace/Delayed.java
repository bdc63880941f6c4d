package dev.paceline.pace;

import dev.paceline.event.RefusalReason;
import dev.paceline.time.Timer;
import java.util.HashSet;
import java.util.Set;

/** Callers that must not start yet, each with its timer. Guarded by the pacer's lock. */
final class Delayed {

  private final Set<Waiter> waiters = new HashSet<>();

  void add(Waiter waiter, Timer over) {
    waiter.state = Waiter.State.DELAYED;
    waiter.delay = over;
    waiters.add(waiter);
  }

  /** False if it is none of them, or no longer. */
  boolean remove(Waiter waiter) {
    if (waiter.delay != null) {
      waiter.delay.cancel();
    }
    return waiters.remove(waiter);
  }

  void refuseAll(RefusalReason why, Outbox out) {
    for (Waiter waiter : Set.copyOf(waiters)) {
      remove(waiter);
      waiter.refuse(why, 0);
      out.add(waiter);
    }
  }

  int size() {
    return waiters.size();
  }
}
