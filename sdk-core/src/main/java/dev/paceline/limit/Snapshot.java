package dev.paceline.limit;

import java.util.List;

/**
 * The stored state of a {@link GroupSchedule}; immutable.
 *
 * @param limits the state of each limit, in the group's order
 */
public record Snapshot(List<LimitState> limits) {
  /** Keeps a copy of the states. */
  public Snapshot {
    limits = List.copyOf(limits);
  }
}
