package dev.paceline.rule;

import dev.paceline.limit.InFlight;
import dev.paceline.limit.Limit;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Which calls share limits, and which limits.
 *
 * @param name unique in its upstream; part of the schedule's key
 * @param route which requests it counts
 * @param client the only client that it is for, if it is for one
 * @param tier the only tier that it is for, if it is for one
 * @param ownership whether each client has a schedule of its own
 * @param limits decided and charged together; at least one, with different names
 * @param maxQueued how many callers may wait for one schedule, if not the default
 * @param inFlight how many of the calls of one schedule may be in flight, if that is limited
 */
public record Rule(
    String name,
    RoutePattern route,
    Optional<String> client,
    Optional<String> tier,
    Ownership ownership,
    List<Limit> limits,
    OptionalInt maxQueued,
    Optional<InFlight> inFlight) {

  /** Whose quota a rule's limits are. */
  public enum Ownership {
    /** Each client's own. */
    EACH_CLIENT,
    /** Everybody's together. */
    EVERYBODY
  }

  /** Copies the limits; refuses none, and two of one name. */
  public Rule {
    limits = List.copyOf(limits);
    if (limits.isEmpty()) {
      throw new IllegalArgumentException(
          "rule \"" + name + "\" has no limit; it needs at least one");
    }
    Set<String> names = new HashSet<>();
    for (Limit limit : limits) {
      if (!names.add(limit.name())) {
        throw new IllegalArgumentException(
            "rule \""
                + name
                + "\" has two limits named \""
                + limit.name()
                + "\"; name one of them with named(...)");
      }
    }
    if (client.isPresent() && tier.isPresent()) {
      throw new IllegalArgumentException(
          "rule \"" + name + "\" is for a client and for a tier; it can be for one of them");
    }
    if (client.isPresent() && ownership == Ownership.EVERYBODY) {
      throw new IllegalArgumentException(
          "rule \"" + name + "\" is for one client and everybody's; it can be one of them");
    }
  }

  /** The same rule with another limit on the calls in flight. */
  public Rule withInFlight(InFlight limit) {
    return new Rule(name, route, client, tier, ownership, limits, maxQueued, Optional.of(limit));
  }

  boolean isRoute() {
    return !route.matchesAll();
  }

  /** 2 for one client's rule, 1 for a tier's, 0 for everybody's. */
  int closeness() {
    return client.isPresent() ? 2 : tier.isPresent() ? 1 : 0;
  }
}
