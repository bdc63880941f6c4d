package dev.paceline.redis;

import dev.paceline.limit.Limit;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Draws limits of every algorithm, with whole and fractional intervals, from tight to loose. */
final class RandomGroup {
  private static final long[] PERIODS_MILLIS = {1, 7, 100, 1_000, 1_000, 60_000, 86_400_000};

  private RandomGroup() {}

  static Group draw(RandomGenerator random, String name) {
    int count = random.nextInt(3) == 0 ? 2 + random.nextInt(2) : 1;
    List<Limit> limits = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Limit limit = limit(random).named("limit " + i);
      limits.add(random.nextInt(3) == 0 ? limit : limit.unit("points"));
    }
    return new Group(new GroupKey("differential", "owner", name), limits);
  }

  private static Limit limit(RandomGenerator random) {
    long period = PERIODS_MILLIS[random.nextInt(PERIODS_MILLIS.length)];
    long permits = random.nextInt(4) == 0 ? 1 + random.nextInt(2_000) : 1 + random.nextInt(12);
    Limit limit = Limit.of(permits).per(Duration.ofMillis(period));
    return switch (random.nextInt(6)) {
      case 0 -> limit;
      case 1 -> limit.burst(1 + random.nextInt(20));
      case 2 -> limit.tokenBucket();
      case 3 -> limit.fixedWindow();
      case 4 -> limit.slidingWindowLog();
      default -> limit.slidingWindowCounter();
    };
  }

  /** The longest interval of the group's limits: the scale at which something happens. */
  static long interval(Group group) {
    long longest = 1;
    for (Limit limit : group.limits()) {
      longest = Math.max(longest, limit.periodMicros() / limit.permits());
    }
    return longest;
  }
}
