package dev.paceline.store;

/**
 * Hears what changes in the shared schedules between asks. Called on any thread; must not block.
 * Instants are readings of this process's monotonic clock.
 */
public interface StoreListener {

  /** Nobody calls before {@code until}; permits due earlier are void. */
  void cooldown(GroupKey group, long until);

  /** The cooldown was ended by hand. */
  void cooldownCleared(GroupKey group);

  /** The schedule moved by {@code micros}: permits not yet used move too. */
  void moved(GroupKey group, long micros);

  /** Calls of the group have ended: one that waits for a slot may try again. */
  default void slotFree(GroupKey group) {}
}
