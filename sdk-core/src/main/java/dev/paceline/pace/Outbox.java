package dev.paceline.pace;

import org.jspecify.annotations.Nullable;

/** Callers settled under the lock, to be told once it is released. Owned by one thread. */
final class Outbox {

  private @Nullable Waiter head;
  private @Nullable Waiter tail;

  void add(Waiter waiter) {
    waiter.next = null;
    if (tail == null) {
      head = waiter;
    } else {
      tail.next = waiter;
    }
    tail = waiter;
  }

  void deliver() {
    while (head != null) {
      Waiter waiter = head;
      head = waiter.next;
      if (head == null) {
        tail = null;
      }
      waiter.next = null;
      waiter.to.settled(waiter);
    }
  }
}
