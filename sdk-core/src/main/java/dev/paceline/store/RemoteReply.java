package dev.paceline.store;

import dev.paceline.limit.Snapshot;

/**
 * What a remote store says of one group. Instants are microseconds of the remote clock.
 *
 * @param kind the outcome
 * @param now the remote clock when it decided
 * @param starts for {@code RESERVED}: when each permit may be used, ascending
 * @param earliest for {@code TOO_LATE}: when the first permit would have started
 * @param cooldownMicros how long the cooldown still lasts; 0 if there is none
 * @param guardMicros the guard added to each interval
 * @param workers how many workers were alive, at least 1
 * @param generation of the state
 * @param state after the ask, with absolute instants: the next floor
 * @param trouble what had to be repaired
 */
public record RemoteReply(
    Kind kind,
    long now,
    long[] starts,
    long earliest,
    long cooldownMicros,
    long guardMicros,
    int workers,
    long generation,
    Snapshot state,
    Trouble trouble) {

  /** The outcomes. */
  public enum Kind {
    /** At least one permit was reserved and charged. */
    RESERVED,
    /** Nothing was charged: the first start lies after the latest asked for. */
    TOO_LATE,
    /** Nothing was charged: the cost exceeds the capacity of a limit. */
    NEVER,
    /** The changes were made; nothing was asked for. */
    CHANGED
  }

  /** What a store had to repair before it could decide. */
  public enum Trouble {
    /** Nothing. */
    NONE,
    /** It had lost the schedule, which was restored from the floor. */
    STATE_LOST,
    /** Its clock had stepped back, and the state with it. */
    CLOCK_STEPPED,
    /** The stored value was no schedule, and was treated as absent. */
    JUNK,
    /** Another worker comes with other limits for the same group. */
    LIMITS_DIFFER
  }
}
