package dev.paceline;

import dev.paceline.limit.InFlight;
import dev.paceline.limit.Limit;
import dev.paceline.rule.RoutePattern;
import dev.paceline.rule.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** How many calls of an upstream may be in flight, added to its rules. Not thread-safe. */
final class InFlightRules {

  private static final RoutePattern EVERYTHING = RoutePattern.parse("*");

  /** Paces nothing that a client could send. */
  private static final List<Limit> UNPACED =
      List.of(Limit.of(1_000_000).per(Duration.ofSeconds(1)).fixedWindow());

  /**
   * The rule of calls that no limit counts. It lets a cooldown hold these calls, too. A window,
   * because a bucket would owe the time of a cooldown in permits, which a learned rate would then
   * stretch to days.
   */
  static final Rule UNLIMITED = unpaced("unlimited", EVERYTHING, Rule.Ownership.EACH_CLIENT);

  private @Nullable Integer wide;
  private @Nullable Integer shared;
  private final Map<RoutePattern, Integer> routes = new LinkedHashMap<>();
  private Duration longest = Duration.ofMinutes(10);

  void ofEachClient(int most) {
    wide = check(most);
  }

  void ofAllClients(int most) {
    shared = check(most);
  }

  void ofRoute(RoutePattern route, int most) {
    if (route.matchesAll()) {
      ofEachClient(most);
    } else {
      routes.put(route, check(most));
    }
  }

  void longest(Duration call) {
    longest = new InFlight(1, call).longest();
  }

  private static int check(int most) {
    return new InFlight(most, Duration.ofSeconds(1)).most();
  }

  /** Whether a rule only counts calls in flight. */
  static boolean isUnpaced(List<Limit> limits) {
    return limits.equals(UNPACED);
  }

  /**
   * The rules with these limits, and rules of their own for those that have none.
   *
   * @param otherwise how many calls of a client may be in flight where that was not said
   */
  List<Rule> over(List<Rule> rules, Optional<Integer> otherwise) {
    Optional<Integer> each = Optional.ofNullable(wide).or(() -> otherwise);
    List<Rule> all = new ArrayList<>(rules);
    for (RoutePattern route : routes.keySet()) {
      addIfMissing(all, unpaced(route.toString(), route, Rule.Ownership.EACH_CLIENT));
    }
    if (shared != null) {
      addIfMissing(all, unpaced("shared", EVERYTHING, Rule.Ownership.EVERYBODY));
    }
    if (each.isPresent() || all.size() > rules.size()) {
      addIfMissing(all, UNLIMITED);
    }
    return all.stream().map(rule -> capped(rule, each)).toList();
  }

  private static void addIfMissing(List<Rule> all, Rule rule) {
    boolean present =
        all.stream()
            .anyMatch(
                other ->
                    other.route().equals(rule.route())
                        && other.ownership() == rule.ownership()
                        && other.client().isEmpty()
                        && other.tier().isEmpty());
    if (!present) {
      all.add(rule);
    }
  }

  private Rule capped(Rule rule, Optional<Integer> each) {
    Optional<Integer> most;
    if (rule.ownership() == Rule.Ownership.EVERYBODY) {
      most = Optional.ofNullable(shared);
    } else {
      most = rule.route().matchesAll() ? each : Optional.ofNullable(routes.get(rule.route()));
    }
    return most.filter(m -> m < Integer.MAX_VALUE)
        .map(m -> rule.withInFlight(new InFlight(m, longest)))
        .orElse(rule);
  }

  private static Rule unpaced(String name, RoutePattern route, Rule.Ownership ownership) {
    return new Rule(
        name,
        route,
        Optional.empty(),
        Optional.empty(),
        ownership,
        UNPACED,
        OptionalInt.empty(),
        Optional.empty());
  }
}
