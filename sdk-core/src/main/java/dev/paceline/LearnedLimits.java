package dev.paceline;

import dev.paceline.feedback.DiscoveredLimit;
import dev.paceline.limit.Limit;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Limits that were learned or discovered, in place of those that groups were built with. */
final class LearnedLimits {

  /** Learned limits are few; beyond this no more are kept, and the configured ones count. */
  private static final int MOST = 100_000;

  private static final int MOST_DIGITS = 9;

  private final ConcurrentHashMap<GroupKey, List<Limit>> byGroup = new ConcurrentHashMap<>();

  /** The group under its learned limits, or as it is. */
  Group apply(Group group) {
    List<Limit> limits = byGroup.get(group.key());
    return limits == null ? group : new Group(group.key(), limits);
  }

  /** Keeps limits for a group; false if it has them already. */
  boolean put(GroupKey key, List<Limit> limits) {
    if (byGroup.size() >= MOST && !byGroup.containsKey(key)) {
      return false;
    }
    return !limits.equals(byGroup.put(key, limits));
  }

  /** A steady limit at a learned rate: to a permit an hour, or to one part in sixty. */
  static List<Limit> steady(double perSecond) {
    if (perSecond < 1) {
      long permits = Math.max(1, Math.round(perSecond * 3_600));
      return List.of(Limit.of(permits).per(Duration.ofHours(1)).named("learned"));
    }
    long permits = Math.round(perSecond * 60);
    return List.of(Limit.of(permits).per(Duration.ofMinutes(1)).named("learned"));
  }

  /**
   * A group's limits with its first limit on requests at the published rate; empty if that says
   * nothing that can be kept. A limit that was configured keeps its algorithm and burst.
   */
  static Optional<List<Limit>> at(DiscoveredLimit published, Group group, boolean configured) {
    BigDecimal permits = published.permits().stripTrailingZeros();
    int scale = Math.max(0, permits.scale());
    if (scale > MOST_DIGITS) {
      return Optional.empty();
    }
    try {
      long whole = permits.movePointRight(scale).longValueExact();
      Duration period = published.period().multipliedBy(BigDecimal.TEN.pow(scale).longValueExact());
      Limit limit = Limit.of(whole).per(period).named(published.name());
      return configured
          ? replaced(group, limit)
          : Optional.of(
              List.of(whole <= 1_000 ? limit.slidingWindowLog() : limit.slidingWindowCounter()));
    } catch (ArithmeticException | IllegalArgumentException e) {
      // A server may publish what no schedule can keep exactly: then it teaches nothing.
      return Optional.empty();
    }
  }

  private static Optional<List<Limit>> replaced(Group group, Limit rate) {
    List<Limit> limits = new ArrayList<>(group.limits());
    for (int i = 0; i < limits.size(); i++) {
      Limit old = limits.get(i);
      if (old.unit().equals(AcquireOptions.REQUESTS) && old.algorithm().hasBurst()) {
        limits.set(i, rate.burst(old.burst()).named(old.name()));
        return Optional.of(limits);
      }
    }
    return Optional.empty();
  }
}
