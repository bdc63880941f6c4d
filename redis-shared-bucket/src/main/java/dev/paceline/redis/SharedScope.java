package dev.paceline.redis;

import dev.paceline.limit.Limit;
import dev.paceline.store.GroupKey;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * A schedule as Redis holds it now. Immutable.
 *
 * @param key its name
 * @param limits as the workers that use it tell; empty if none of them was seen lately
 * @param remaining whole permits that could start at once, the least over the limits; empty if
 *     these are not known
 * @param reservedAhead how long until a permit could start, a cooldown included; zero if now
 * @param cooldown how long its cooldown still lasts; zero if there is none
 * @param guard what is added to each emission interval
 * @param generation raised by whatever lowered the schedule
 * @param expiresIn when Redis forgets it if nobody calls: it is as good as new then
 */
public record SharedScope(
    GroupKey key,
    List<Limit> limits,
    OptionalLong remaining,
    Duration reservedAhead,
    Duration cooldown,
    Duration guard,
    long generation,
    Duration expiresIn) {

  /** Copies the list. */
  public SharedScope {
    limits = List.copyOf(limits);
  }
}
