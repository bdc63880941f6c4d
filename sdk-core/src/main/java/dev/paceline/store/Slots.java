package dev.paceline.store;

import dev.paceline.limit.InFlight;
import java.util.Optional;

/**
 * Counts calls in flight. A slot that is not freed within {@link InFlight#longest} is free again.
 *
 * <p>Thread-safe. Only {@link #attend} and {@link Slot#free} tell listeners anything; the other
 * methods may be called under a lock.
 */
public interface Slots {

  /** Takes a slot if there is one now. */
  Optional<Slot> tryTake(GroupKey group, InFlight limit);

  /** How many slots can be had now, as far as is known here. */
  int available(GroupKey group, InFlight limit);

  /**
   * Notes that a caller of this process waits for a slot. The listeners are told once, by {@link
   * StoreListener#slotFree}, when it is worth trying again; {@link #attend} is to follow.
   */
  void want(GroupKey group, InFlight limit);

  /** Acts on what was noted, and tells the listeners what has changed. */
  void attend(GroupKey group);

  /** How many calls of this process are in flight, over all groups that have a limit. */
  long inFlight();

  /** How many slots became free only because their time was over. */
  long expired();
}
