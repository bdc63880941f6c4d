package dev.paceline.rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one upstream. Immutable.
 *
 * <p>A call passes at most three of them, the narrowest first: one for its route, one for its
 * client whatever the route, and one that all clients share. At each of these levels the closest
 * wins: a client's own rule, then its tier's, then everybody's; among routes of equal closeness,
 * the narrower pattern. A client with a rule of its own is not governed by its tier's rules.
 */
public final class RuleSet {

  private final List<Rule> routes = new ArrayList<>();
  private final List<Rule> wide = new ArrayList<>();
  private final List<Rule> shared = new ArrayList<>();
  private final List<Rule> all;

  /**
   * Checks the rules.
   *
   * @throws IllegalArgumentException if two rules have one name, or one could never match because
   *     another of the same reach exists
   */
  public RuleSet(List<Rule> rules) {
    all = List.copyOf(rules);
    Map<String, Rule> byName = new HashMap<>();
    for (Rule rule : all) {
      Rule other = byName.put(rule.name(), rule);
      if (other != null) {
        throw new IllegalArgumentException(
            "two rules are named \"" + rule.name() + "\"; each needs a name of its own");
      }
      refuseShadowed(rule);
      levelOf(rule).add(rule);
    }
  }

  private List<Rule> levelOf(Rule rule) {
    if (rule.isRoute()) {
      return routes;
    }
    return rule.ownership() == Rule.Ownership.EVERYBODY ? shared : wide;
  }

  private void refuseShadowed(Rule rule) {
    for (Rule other : levelOf(rule)) {
      boolean sameReach =
          other.route().equals(rule.route())
              && other.client().equals(rule.client())
              && other.tier().equals(rule.tier());
      if (sameReach) {
        throw new IllegalArgumentException(
            "rule \""
                + rule.name()
                + "\" can never match, because rule \""
                + other.name()
                + "\" counts the same calls; put their limits into one rule");
      }
    }
  }

  /** The rules in the order in which they were given. */
  public List<Rule> rules() {
    return all;
  }

  /**
   * The rules that a call passes, narrowest first.
   *
   * @param client whose call it is
   * @param tier the client's tier
   */
  public List<Rule> match(
      String method, String path, Optional<String> client, Optional<String> tier) {
    if (isOneForAll()) {
      return wide;
    }
    boolean ownRules = client.isPresent() && hasOwn(client.get());
    List<Rule> passed = new ArrayList<>(3);
    addIfPresent(passed, closest(routes, method, path, client, tier, ownRules));
    addIfPresent(passed, closest(wide, method, path, client, tier, ownRules));
    addIfPresent(passed, closest(shared, method, path, client, tier, ownRules));
    return passed;
  }

  /** As {@link #match}; looks at the request only where there are rules to choose from. */
  public List<Rule> match(RequestView request, Optional<String> client, Optional<String> tier) {
    return isOneForAll() ? wide : match(request.method(), request.path(), client, tier);
  }

  /** Whether every call passes the same one rule. */
  public boolean isOneForAll() {
    return routes.isEmpty() && shared.isEmpty() && wide.size() == 1 && wide.get(0).closeness() == 0;
  }

  private boolean hasOwn(String client) {
    for (Rule rule : all) {
      if (rule.client().isPresent() && rule.client().get().equals(client)) {
        return true;
      }
    }
    return false;
  }

  private static void addIfPresent(List<Rule> passed, @Nullable Rule rule) {
    if (rule != null) {
      passed.add(rule);
    }
  }

  private static @Nullable Rule closest(
      List<Rule> level,
      String method,
      String path,
      Optional<String> client,
      Optional<String> tier,
      boolean ownRules) {
    Rule best = null;
    for (Rule rule : level) {
      boolean forCaller =
          (rule.client().isEmpty() || rule.client().equals(client))
              && (rule.tier().isEmpty() || (!ownRules && rule.tier().equals(tier)));
      if (forCaller && rule.route().matches(method, path) && (best == null || beats(rule, best))) {
        best = rule;
      }
    }
    return best;
  }

  private static boolean beats(Rule rule, Rule best) {
    if (rule.closeness() != best.closeness()) {
      return rule.closeness() > best.closeness();
    }
    return rule.route().narrowness() > best.route().narrowness();
  }
}
