package dev.paceline.feedback;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a response is a refusal because of a limit or load, and which.
 *
 * @param fallback the wait that the profile advises
 */
record Refusal(boolean throttled, ThrottleKind kind, WaitScope scope, Optional<Duration> fallback) {

  private static final Refusal NONE =
      new Refusal(false, ThrottleKind.NONE, WaitScope.RULE, Optional.empty());

  /** What a content delivery network's own refusal, which tells nothing, is worth at least. */
  private static final Duration EDGE_COOLDOWN = Duration.ofSeconds(60);

  private static final Duration DAY = Duration.ofDays(1);

  /** A quota that comes back sooner is not spent in a sense that matters to a call. */
  private static final Duration SOON = Duration.ofMinutes(1);

  static Refusal judge(
      Profile profile,
      int status,
      long waitMillis,
      List<QuotaWindow> windows,
      Set<Verdict> verdicts,
      boolean html) {
    boolean exhausted = windows.stream().anyMatch(QuotaWindow::exhausted);
    boolean told = waitMillis != Waits.NONE;
    boolean throttled =
        status == 429
            || (status == 503 && told)
            || (status == 403 && (told || exhausted))
            || profile.throttleStatuses().contains(status)
            || verdicts.contains(Verdict.THROTTLED);
    if (!throttled) {
      return NONE;
    }
    boolean edge = html && status == 429 && windows.isEmpty();
    return new Refusal(
        true,
        kind(profile, status, waitMillis, windows, verdicts),
        scope(profile, windows, verdicts, edge, exhausted),
        edge && profile.cooldown().isEmpty() ? Optional.of(EDGE_COOLDOWN) : profile.cooldown());
  }

  private static ThrottleKind kind(
      Profile profile,
      int status,
      long waitMillis,
      List<QuotaWindow> windows,
      Set<Verdict> verdicts) {
    if (verdicts.contains(Verdict.QUOTA_EXHAUSTED)) {
      return ThrottleKind.QUOTA_EXHAUSTED;
    }
    if (verdicts.contains(Verdict.CONCURRENCY)) {
      return ThrottleKind.CONCURRENCY;
    }
    boolean waitIsShort = waitMillis >= 0 && waitMillis <= SOON.toMillis();
    for (QuotaWindow window : windows) {
      if (window.exhausted() && !waitIsShort && isLong(window)) {
        return ThrottleKind.QUOTA_EXHAUSTED;
      }
    }
    for (QuotaWindow window : windows) {
      // Okta shows a limit of 0 when the requests in flight, not the rate, were too many.
      boolean nothingAllowed =
          status == 429 && window.limit().isPresent() && window.limit().get().signum() == 0;
      if (window.exhausted() && (nothingAllowed || window.unit().startsWith("concurrent"))) {
        return ThrottleKind.CONCURRENCY;
      }
    }
    return profile.throttleKind();
  }

  private static boolean isLong(QuotaWindow window) {
    boolean soon = window.reset().isPresent() && window.reset().get().compareTo(SOON) <= 0;
    boolean named =
        switch (window.name()) {
          case "day", "daily", "week", "weekly", "month", "monthly" -> true;
          default -> false;
        };
    boolean told = window.window().isPresent() && window.window().get().compareTo(DAY) >= 0;
    return !soon && (named || told);
  }

  private static WaitScope scope(
      Profile profile,
      List<QuotaWindow> windows,
      Set<Verdict> verdicts,
      boolean edge,
      boolean exhausted) {
    if (verdicts.contains(Verdict.SHARED)) {
      return WaitScope.SHARED;
    }
    if (edge || verdicts.contains(Verdict.UPSTREAM)) {
      return WaitScope.UPSTREAM;
    }
    if (verdicts.contains(Verdict.ROUTE)) {
      return WaitScope.ROUTE;
    }
    boolean left = windows.stream().anyMatch(window -> window.left().isPresent());
    return left && !exhausted ? profile.scopeWhenQuotaLeft() : profile.scope();
  }
}
