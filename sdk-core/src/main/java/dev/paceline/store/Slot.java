package dev.paceline.store;

/** A place among the calls in flight of one group. Thread-safe. */
public interface Slot {

  /** The call is over; what comes after the first time does nothing. */
  void free();
}
