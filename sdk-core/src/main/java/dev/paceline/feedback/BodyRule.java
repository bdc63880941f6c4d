package dev.paceline.feedback;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What to look for in a response's body.
 *
 * @param statuses the statuses that it applies to; empty: all
 * @param match how {@code place} and {@code values} are read
 * @param place a JSON path such as {@code error.errors[].reason}, or an XML element's name
 * @param values the values looked for, any of them
 * @param verdicts what a match means
 * @param cooldown how long to wait after a match if the response tells nothing
 */
public record BodyRule(
    Set<Integer> statuses,
    Match match,
    String place,
    List<String> values,
    Set<Verdict> verdicts,
    Optional<Duration> cooldown) {

  /** How a rule looks at the body. */
  public enum Match {
    /** The JSON string or number there is one of the values, without regard to case. */
    EQUALS,
    /** The JSON string there contains one of the values, without regard to case. */
    CONTAINS,
    /** The JSON string there is one of the values followed by epoch seconds: wait until then. */
    EPOCH_AFTER,
    /** The JSON number there is a wait in seconds. */
    WAIT_SECONDS,
    /** The JSON string there is a wait as a duration such as 3.5s. */
    WAIT_DURATION,
    /** The JSON string there says "limit N" and "requested M", and M is more than N. */
    ABOVE_LIMIT,
    /** The text of the XML element is one of the values. */
    ELEMENT,
    /** The JSON object there tells a query's cost and the bucket's state, as Shopify does. */
    COST
  }

  /** Copies the collections. */
  public BodyRule {
    statuses = Set.copyOf(statuses);
    values = List.copyOf(values);
    verdicts = Set.copyOf(verdicts);
  }

  /** Returns a rule for all statuses, without a cooldown. */
  public static BodyRule of(Match match, String place, List<String> values, Verdict... verdicts) {
    return new BodyRule(Set.of(), match, place, values, Set.of(verdicts), Optional.empty());
  }

  /** Returns this rule for some statuses. */
  public BodyRule on(Integer... statuses) {
    return new BodyRule(Set.of(statuses), match, place, values, verdicts, cooldown);
  }

  /** Returns this rule with a wait for a response that tells none. */
  public BodyRule cooldown(Duration cooldown) {
    return new BodyRule(statuses, match, place, values, verdicts, Optional.of(cooldown));
  }

  boolean appliesTo(int status) {
    return statuses.isEmpty() || statuses.contains(status);
  }
}
