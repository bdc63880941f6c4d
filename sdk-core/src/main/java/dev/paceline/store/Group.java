package dev.paceline.store;

import dev.paceline.limit.Limit;
import java.util.List;

/**
 * A group with its limits.
 *
 * @param key its name, the same in every worker of the fleet
 * @param limits at least one; costs are given in this order
 */
public record Group(GroupKey key, List<Limit> limits) {

  /** Copies the list; refuses an empty one. */
  public Group {
    limits = List.copyOf(limits);
    if (limits.isEmpty()) {
      throw new IllegalArgumentException("group " + key + " has no limit; it needs at least one");
    }
  }
}
