package dev.paceline.retry;

import dev.paceline.feedback.Profile;
import dev.paceline.feedback.QuotaWindow;
import dev.paceline.feedback.Reading;
import dev.paceline.feedback.ThrottleKind;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which outcomes may be followed by another attempt. Pure and immutable.
 *
 * <p>The question is always whether a second copy could do harm. A refusal because of a limit was
 * not processed, so any method may go again; so may a request of which nothing reached the wire. A
 * server error, or a connection lost after sending, leaves open whether it was processed: only
 * idempotent methods, requests with an idempotency key, and those that the caller declares
 * idempotent go again. A body that was sent and cannot be written twice ends it in either case.
 *
 * @param unprocessed statuses that prove that the request was not processed. 429; 425, with which a
 *     server declines to risk a replay (RFC 8470, section 5.2)
 * @param unprocessedWhenToldToWait the same where a wait is asked for. 503; 413 (RFC 9110, section
 *     15.5.14)
 * @param transientStatuses statuses that a later attempt may not meet again, though the request may
 *     have been processed. 408 and the 5xx but 501, 505 and 511, which do not pass by waiting
 * @param transientWithKey those of them on which an idempotency key makes a request safe that is
 *     not idempotent. Not 500: a server may answer the same key with the stored 500
 * @param idempotentMethods methods that may be sent twice (RFC 9110, section 9.2.2, and the
 *     registry of methods)
 */
public record RetryRules(
    Set<Integer> unprocessed,
    Set<Integer> unprocessedWhenToldToWait,
    Set<Integer> transientStatuses,
    Set<Integer> transientWithKey,
    Set<String> idempotentMethods) {

  private static final Optional<StopReason> SUCCESS = Optional.of(StopReason.SUCCESS);

  private static final RetryRules STANDARD =
      new RetryRules(
          Set.of(425, 429),
          Set.of(413, 503),
          standardTransientStatuses(),
          Set.of(408, 502, 503, 504),
          Set.of(
              "GET",
              "HEAD",
              "OPTIONS",
              "TRACE",
              "PUT",
              "DELETE",
              "QUERY",
              "PROPFIND",
              "REPORT",
              "SEARCH"));

  /** Copies the sets. */
  public RetryRules {
    unprocessed = Set.copyOf(unprocessed);
    unprocessedWhenToldToWait = Set.copyOf(unprocessedWhenToldToWait);
    transientStatuses = Set.copyOf(transientStatuses);
    transientWithKey = Set.copyOf(transientWithKey);
    idempotentMethods = Set.copyOf(idempotentMethods);
  }

  /** What holds for every provider. */
  public static RetryRules standard() {
    return STANDARD;
  }

  /**
   * The standard, refined by what is known of a provider: its proofs that nothing was processed are
   * added, its statuses for keyed requests take the standard's place. 408 stays, as its server gave
   * up reading the request.
   */
  public static RetryRules of(Profile profile) {
    return new RetryRules(
        union(STANDARD.unprocessed, profile.unprocessedStatuses()),
        STANDARD.unprocessedWhenToldToWait,
        union(STANDARD.transientStatuses, profile.retryWithKeyStatuses()),
        union(Set.of(408), profile.retryWithKeyStatuses()),
        STANDARD.idempotentMethods);
  }

  private static Set<Integer> union(Set<Integer> some, Set<Integer> others) {
    return Stream.concat(some.stream(), others.stream()).collect(Collectors.toUnmodifiableSet());
  }

  private static Set<Integer> standardTransientStatuses() {
    Set<Integer> lasting = Set.of(501, 505, 511);
    return IntStream.concat(IntStream.of(408), IntStream.range(500, 600))
        .filter(status -> !lasting.contains(status))
        .boxed()
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Why there must be no further attempt; empty if there may be one. Attempts, deadline and budget
   * are not looked at.
   */
  public Optional<StopReason> stop(Outcome outcome, RequestTraits traits) {
    return stop(outcome, traits, RetryHook.Opinion.NONE);
  }

  Optional<StopReason> stop(Outcome outcome, RequestTraits traits, RetryHook.Opinion opinion) {
    if (outcome instanceof Outcome.Responded responded) {
      return stopAfterResponse(responded, traits, opinion);
    }
    return stopAfterFailure((Outcome.Failed) outcome, traits, opinion);
  }

  private Optional<StopReason> stopAfterResponse(
      Outcome.Responded responded, RequestTraits traits, RetryHook.Opinion opinion) {
    Reading reading = responded.reading();
    boolean refused = refused(responded);
    if (responded.status() < 400 && !refused && opinion != RetryHook.Opinion.RETRY) {
      return SUCCESS;
    }
    if (reading.kind() == ThrottleKind.QUOTA_EXHAUSTED) {
      return Optional.of(StopReason.QUOTA_EXHAUSTED);
    }
    if (reading.retryForbidden()) {
      return Optional.of(StopReason.RETRY_FORBIDDEN);
    }
    if (opinion == RetryHook.Opinion.STOP) {
      return Optional.of(StopReason.NOT_RETRYABLE);
    }
    if (!refused && !keyInUse(responded, traits)) {
      boolean wanted = opinion == RetryHook.Opinion.RETRY;
      if (!wanted && !transientStatuses.contains(responded.status())) {
        return Optional.of(StopReason.NOT_RETRYABLE);
      }
      if (!idempotent(traits)) {
        if (!traits.hasIdempotencyKey()) {
          return Optional.of(StopReason.NOT_IDEMPOTENT);
        }
        if (!wanted && !transientWithKey.contains(responded.status())) {
          return Optional.of(StopReason.NOT_RETRYABLE);
        }
      }
    }
    return traits.replayableBody() ? Optional.empty() : Optional.of(StopReason.BODY_NOT_REPLAYABLE);
  }

  private Optional<StopReason> stopAfterFailure(
      Outcome.Failed failed, RequestTraits traits, RetryHook.Opinion opinion) {
    if (Failures.cancelled(failed.cause())) {
      return Optional.of(StopReason.CANCELLED);
    }
    if (opinion == RetryHook.Opinion.STOP
        || (opinion == RetryHook.Opinion.NONE && Failures.lasting(failed))) {
      return Optional.of(StopReason.NOT_RETRYABLE);
    }
    if (!failed.sent()) {
      return Optional.empty();
    }
    if (!idempotent(traits) && !traits.hasIdempotencyKey()) {
      return Optional.of(StopReason.NOT_IDEMPOTENT);
    }
    return traits.replayableBody() ? Optional.empty() : Optional.of(StopReason.BODY_NOT_REPLAYABLE);
  }

  /** Whether the response proves that the provider did not act on the request. */
  boolean refused(Outcome.Responded responded) {
    if (unprocessed.contains(responded.status())) {
      return true;
    }
    Reading reading = responded.reading();
    boolean toldToWait = providerWait(responded).isPresent();
    if (unprocessedWhenToldToWait.contains(responded.status()) && toldToWait) {
      return true;
    }
    // "Retry-After: 0" alone makes a throttle of a 503 or a 403, but is no hint to wait.
    boolean zero = reading.retryAfter().filter(Duration::isZero).isPresent();
    return reading.throttled()
        && !(zero && reading.windows().stream().noneMatch(QuotaWindow::exhausted));
  }

  /** The wait that the provider asks for before the next attempt; none if it is zero. */
  public Optional<Duration> providerWait(Outcome outcome) {
    return outcome instanceof Outcome.Responded responded
        ? responded.reading().effectiveWait().filter(wait -> !wait.isZero())
        : Optional.empty();
  }

  /** Whether the conflict is one with an earlier attempt of the same call. */
  private static boolean keyInUse(Outcome.Responded responded, RequestTraits traits) {
    return responded.reading().keyInUse() && traits.hasIdempotencyKey();
  }

  private boolean idempotent(RequestTraits traits) {
    return traits.declaredIdempotent() || idempotentMethods.contains(traits.method());
  }
}
