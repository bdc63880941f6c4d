package dev.paceline.redis;

import dev.paceline.limit.Limit;
import dev.paceline.store.Group;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The limits of the rules that this worker uses, told with its heartbeats: a stored schedule does
 * not hold them, and people who look at one want to know. Thread-safe.
 */
final class Rulebook {
  /** Everything is told again with each so-manieth heartbeat. */
  static final int EVERY = 5;

  private static final int MOST_RULES = 1_000;
  private static final Duration SPARE = Duration.ofSeconds(8);
  private static final Duration LONGEST = Duration.ofDays(1);

  private final Map<Rule, List<Limit>> known = new ConcurrentHashMap<>();
  private final Map<Rule, List<Limit>> untold = new ConcurrentHashMap<>();
  private final AtomicInteger heartbeats = new AtomicInteger();

  private record Rule(String upstream, String name) {
    String field() {
      return Rulebook.field(upstream, name);
    }
  }

  /** Where a rule's limits are found. */
  static String field(String upstream, String rule) {
    return KeyNames.escape(upstream) + ":" + KeyNames.escape(rule);
  }

  /** Notes the limits of a group that is used. */
  void note(Group group) {
    Rule rule = new Rule(group.key().upstream(), group.key().rule());
    List<Limit> limits = group.limits();
    List<Limit> before = known.get(rule);
    if (before == limits || (before == null && known.size() >= MOST_RULES)) {
      return;
    }
    known.put(rule, limits);
    if (!limits.equals(before)) {
      untold.put(rule, limits);
    }
  }

  /** What the next heartbeat tells: for how many milliseconds it holds, then fields and limits. */
  List<String> due() {
    Map<Rule, List<Limit>> rules = new HashMap<>(untold);
    rules.forEach(untold::remove);
    if (heartbeats.incrementAndGet() % EVERY == 0) {
      rules.putAll(known);
    }
    Duration holds = SPARE.plus(longestPeriod(rules));
    List<String> told = new ArrayList<>(1 + 2 * rules.size());
    told.add(Long.toString(holds.toMillis()));
    rules.forEach(
        (rule, limits) -> {
          told.add(rule.field());
          told.add(LimitText.print(limits));
        });
    return told;
  }

  /** About as long as a schedule of these rules may last without a worker. */
  private static Duration longestPeriod(Map<Rule, List<Limit>> rules) {
    return rules.values().stream()
        .flatMap(List::stream)
        .map(Limit::period)
        .max(Duration::compareTo)
        .filter(longest -> longest.compareTo(LONGEST) < 0)
        .orElse(rules.isEmpty() ? Duration.ZERO : LONGEST);
  }
}
