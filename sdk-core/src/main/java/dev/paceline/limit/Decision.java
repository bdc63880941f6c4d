package dev.paceline.limit;

import java.time.Duration;

/**
 * The answer to a call that asked to start at once.
 *
 * @param allowed whether it may, and was charged
 * @param limit the name of the limit that decided
 * @param remaining the whole permits left after this answer, the least over the limits
 * @param retryAfter how long until it could start if nobody else came; zero if allowed, or if never
 * @param resetAfter how long until all limits are as good as new, at least 0
 * @param never whether its cost exceeds a limit's capacity, so that no wait would help
 */
public record Decision(
    boolean allowed,
    String limit,
    long remaining,
    Duration retryAfter,
    Duration resetAfter,
    boolean never) {

  /** Checks that no duration is negative. */
  public Decision {
    if (retryAfter.isNegative() || resetAfter.isNegative()) {
      throw new IllegalArgumentException(
          "retryAfter=%s, resetAfter=%s: neither is negative".formatted(retryAfter, resetAfter));
    }
  }

  /**
   * Charges a call if it can start at once, and says what came of it.
   *
   * @param at now, on the schedule's clock
   * @param costs the call's cost for each limit
   */
  public static Decision take(GroupSchedule schedule, long at, long[] costs) {
    long start = schedule.earliest(at, costs);
    boolean never = start == GroupSchedule.NEVER;
    boolean allowed = start == at;
    int binding = schedule.bindingLimit(at, costs);
    if (allowed) {
      schedule.take(at, costs);
    }
    return new Decision(
        allowed,
        schedule.limits().get(binding).name(),
        schedule.remaining(at),
        never ? Duration.ZERO : micros(start - at),
        schedule.fullAt() == Long.MIN_VALUE
            ? Duration.ZERO
            : micros(Math.max(0, schedule.fullAt() - at)),
        never);
  }

  private static Duration micros(long micros) {
    return Duration.ofSeconds(micros / 1_000_000, micros % 1_000_000 * 1_000);
  }
}
