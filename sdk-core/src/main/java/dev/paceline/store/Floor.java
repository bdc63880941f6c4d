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
 */
public record Floor(long generation, Snapshot state) {}
