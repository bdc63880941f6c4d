package dev.paceline.store;

import dev.paceline.limit.Snapshot;

/**
 * The least that a group's schedule has charged, as a worker remembers it: merged by the store into
 * what it has, so that a schedule lost by eviction, restart or fail-over comes back.
 *
 * @param generation of the state that is remembered; an older one than the store's is ignored; 0 if
 *     nothing is remembered
 * @param state with instants relative to the moment of sending (negative: in the past), already
 *     lowered by one lead, so that a delay on the way never adds debt; window indexes are absolute
 * @param ageMicros how long ago the ask was sent whose reply is remembered: a state last written
 *     well before that has lost what this worker saw written, while one written later was lowered
 *     by others
 */
public record Floor(long generation, Snapshot state, long ageMicros) {

  /** The age of a floor of which it is not known. */
  public static final long AGE_UNKNOWN = Long.MAX_VALUE;

  /** A floor of unknown age. */
  public Floor(long generation, Snapshot state) {
    this(generation, state, AGE_UNKNOWN);
  }
}
