package dev.paceline.feedback;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a response says about limits. Immutable.
 *
 * @param retryAfter the wait that the response asks for explicitly, 0 to 366 days; not derived from
 *     a window's reset
 * @param windows the quotas told, in no particular order, at most {@value #MAX_WINDOWS}
 * @param throttled whether the provider refused because of a limit or load
 * @param kind why it refused; {@link ThrottleKind#NONE} exactly if not {@code throttled}
 * @param scope which calls a refusal holds back
 * @param retryForbidden whether a retry cannot succeed, or the provider asks for none
 * @param keyInUse whether an earlier attempt with the same idempotency key is still in progress, so
 *     that the same request may be sent again later
 * @param fallback the wait that the profile advises for this refusal when the response tells none
 * @param bucket the provider's name for the bucket that counted this request
 * @param ignored the number of fields that were malformed or not believed
 */
public record Reading(
    Optional<Duration> retryAfter,
    List<QuotaWindow> windows,
    boolean throttled,
    ThrottleKind kind,
    WaitScope scope,
    boolean retryForbidden,
    boolean keyInUse,
    Optional<Duration> fallback,
    Optional<String> bucket,
    int ignored) {

  /** The most windows that one response can tell; those beyond are ignored and counted. */
  public static final int MAX_WINDOWS = 64;

  /** A response that says nothing about limits. */
  public static final Reading SILENT =
      new Reading(
          Optional.empty(),
          List.of(),
          false,
          ThrottleKind.NONE,
          WaitScope.RULE,
          false,
          false,
          Optional.empty(),
          Optional.empty(),
          0);

  /** Copies the windows. */
  public Reading {
    windows = List.copyOf(windows);
  }

  /**
   * Returns how long to hold: the wait asked for; else, if throttled, the longest reset among the
   * quotas that are spent; else, if throttled, the profile's advice. A zero is no hint to a retry,
   * whose own back-off then applies.
   */
  public Optional<Duration> effectiveWait() {
    if (retryAfter.isPresent() || !throttled) {
      return retryAfter;
    }
    Optional<Duration> reset =
        windows.stream()
            .filter(QuotaWindow::exhausted)
            .flatMap(window -> window.reset().stream())
            .max(Duration::compareTo);
    return reset.isPresent() ? reset : fallback;
  }
}
