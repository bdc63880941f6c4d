package dev.paceline.feedback;

import dev.paceline.feedback.StructuredFields.Member;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The RateLimit and RateLimit-Policy fields of draft-ietf-httpapi-ratelimit-headers, drafts 03 to
 * 11. A field that breaks the grammar or a constraint is ignored whole (null), with three
 * leniences: a Token for a name, a Token for {@code qu}, and no {@code r} where {@code t} is told.
 */
final class QuotaFields {

  static final long UNTOLD = -1;

  /**
   * A quota policy.
   *
   * @param name its name; null in drafts 03 to 07, where the quota itself stood in its place
   * @param windowMillis {@link #UNTOLD} if not told
   * @param partition the partition key, still encoded, or empty
   */
  record Policy(
      @Nullable String name, long quota, long windowMillis, String unit, String partition) {

    String label() {
      if (name != null) {
        return name;
      }
      return windowMillis == UNTOLD ? Long.toString(quota) : quota + ";w=" + windowMillis / 1000;
    }
  }

  /**
   * What is left of a quota.
   *
   * @param name its policy's; null in draft 07
   * @param limit told by draft 07 only
   * @param resetMillis {@link #UNTOLD} also if not believed
   */
  record Counter(
      @Nullable String name, long limit, long remaining, long resetMillis, String partition) {}

  private QuotaFields() {}

  /** Reads RateLimit: first as the List of drafts 08 on, else as the Dictionary of draft 07. */
  static @Nullable List<Counter> counters(String text) {
    List<Member> items = StructuredFields.list(text);
    if (items == null) {
      List<Member> entries = StructuredFields.dictionary(text);
      return entries == null ? null : dictionary(entries);
    }
    List<Counter> counters = new ArrayList<>(items.size());
    for (Member item : items) {
      StructuredValue remaining = item.param("r");
      StructuredValue reset = item.param("t");
      StructuredValue partition = item.param("pk");
      if (!item.value().isName()
          || (remaining == null && reset == null)
          || !isCount(remaining)
          || !isCount(reset)
          || !isPartition(partition)) {
        return null;
      }
      counters.add(
          new Counter(
              item.value().text(),
              UNTOLD,
              number(remaining),
              seconds(reset),
              partition == null ? "" : partition.text()));
    }
    return counters;
  }

  private static @Nullable List<Counter> dictionary(List<Member> entries) {
    StructuredValue limit = null;
    StructuredValue remaining = null;
    StructuredValue reset = null;
    for (Member entry : entries) {
      switch (entry.key()) {
        case "limit" -> limit = entry.value();
        case "remaining" -> remaining = entry.value();
        case "reset" -> reset = entry.value();
        default -> {}
      }
    }
    if ((limit == null && remaining == null)
        || !isCount(limit)
        || !isCount(remaining)
        || !isCount(reset)) {
      return null;
    }
    return List.of(new Counter(null, number(limit), number(remaining), seconds(reset), ""));
  }

  /** Reads RateLimit-Policy. */
  static @Nullable List<Policy> policies(String text) {
    List<Member> items = StructuredFields.list(text);
    if (items == null) {
      return null;
    }
    List<Policy> policies = new ArrayList<>(items.size());
    for (Member item : items) {
      Policy policy = item.value().isName() ? named(item) : unnamed(item, policies);
      if (policy == null) {
        return null;
      }
      policies.add(policy);
    }
    return policies;
  }

  private static @Nullable Policy named(Member item) {
    StructuredValue quota = item.param("q");
    StructuredValue window = item.param("w");
    StructuredValue unit = item.param("qu");
    StructuredValue partition = item.param("pk");
    if (quota == null
        || !isCount(quota)
        || !isWindow(window)
        || !(unit == null || unit.isName())
        || !isPartition(partition)) {
      return null;
    }
    return new Policy(
        item.value().text(),
        quota.number(),
        seconds(window),
        unit == null || unit.text().equals("request") ? QuotaWindow.REQUESTS : unit.text(),
        partition == null ? "" : partition.text());
  }

  /** A policy of drafts 03 to 07, which call two with one quota value invalid. */
  private static @Nullable Policy unnamed(Member item, List<Policy> before) {
    StructuredValue window = item.param("w");
    if (!item.value().isNonNegativeInteger() || !isWindow(window)) {
      return null;
    }
    long quota = item.value().number();
    for (Policy other : before) {
      if (other.name == null && other.quota == quota) {
        return null;
      }
    }
    return new Policy(null, quota, seconds(window), QuotaWindow.REQUESTS, "");
  }

  /**
   * Returns the policy of a counter: by name and partition, else by name where one side tells no
   * partition; for a counter without a name the only one with its limit.
   */
  static @Nullable Policy policyOf(Counter counter, List<Policy> policies) {
    if (counter.name == null) {
      return onlyOfQuota(counter.limit, policies);
    }
    Policy loose = null;
    for (Policy policy : policies) {
      if (counter.name.equals(policy.name)) {
        if (counter.partition.equals(policy.partition)) {
          return policy;
        }
        if (loose == null && (counter.partition.isEmpty() || policy.partition.isEmpty())) {
          loose = policy;
        }
      }
    }
    return loose;
  }

  static @Nullable Policy onlyOfQuota(long quota, List<Policy> policies) {
    Policy only = null;
    for (Policy policy : policies) {
      if (policy.quota == quota) {
        if (only != null) {
          return null;
        }
        only = policy;
      }
    }
    return only;
  }

  private static boolean isCount(@Nullable StructuredValue value) {
    return value == null || value.isNonNegativeInteger();
  }

  private static boolean isWindow(@Nullable StructuredValue value) {
    return value == null || (value.isNonNegativeInteger() && value.number() > 0);
  }

  private static boolean isPartition(@Nullable StructuredValue value) {
    return value == null || value.type() == StructuredValue.Type.BYTES;
  }

  private static long number(@Nullable StructuredValue value) {
    return value == null ? UNTOLD : value.number();
  }

  private static long seconds(@Nullable StructuredValue value) {
    return value == null ? UNTOLD : Waits.ofSeconds(new Quantity(value.number(), 0));
  }
}
