package dev.paceline.store;

import dev.paceline.time.TimeSource;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * Where a fleet's schedules live, connected and checked, but not yet part of a Paceline: what is
 * handed to its builder. Thread-safe.
 */
public interface RemoteStoreSource {

  /**
   * Opens a store for one worker. Closing the last one that was opened closes what was connected
   * for it.
   */
  RemoteStore open(TimeSource time);

  /** Within what time a command is answered, or counts as failed. */
  Duration commandTimeout();

  /** How many workers share the schedules, for the time before that has been counted. */
  OptionalInt expectedWorkers();
}
