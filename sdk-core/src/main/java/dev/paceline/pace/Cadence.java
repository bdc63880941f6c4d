package dev.paceline.pace;

import dev.paceline.store.Group;

/**
 * What follows from a group's limits.
 *
 * @param tolerableNanos sends later than this move the schedule
 * @param tellAtOnce whether the store is told at once, since the next ask may be long in coming
 */
record Cadence(Group group, long tolerableNanos, boolean tellAtOnce) {

  static Cadence of(Group group, long intervalNanos, long quantumNanos) {
    return new Cadence(group, Turn.tolerableLateness(intervalNanos), intervalNanos > quantumNanos);
  }
}
