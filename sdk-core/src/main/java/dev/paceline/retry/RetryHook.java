package dev.paceline.retry;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiPredicate;

/**
 * A user's own opinion about outcomes, asked before {@link RetryRules}.
 *
 * <p>An opinion decides whether an outcome is worth a retry, not whether a retry is safe: a request
 * that is not idempotent, a body that is gone, attempts, deadline and budget still stop it. A spent
 * quota and a provider that forbids retries too.
 *
 * <p>A Failsafe retry policy over status codes brings its conditions along like this; its delays,
 * jitter and durations are not used, because the wait of a retry is a permit here:
 *
 * <pre>{@code
 * RetryPolicy<Integer> mine = RetryPolicy.<Integer>builder()
 *     .handleResult(418).abortOn(SSLException.class).build();
 * RetryHook hook = RetryHook.of(
 *     (status, error) -> any(mine.getConfig().getFailureConditions(), status, error),
 *     (status, error) -> any(mine.getConfig().getAbortConditions(), status, error));
 * }</pre>
 *
 * <p>where {@code any} asks each condition with the status or null, and the exception or null.
 * Implementations must be thread-safe and quick; an opinion that throws counts as {@link
 * Opinion#NONE}.
 */
@FunctionalInterface
public interface RetryHook {

  /** What a hook thinks of an outcome. */
  enum Opinion {
    /** The rules decide. */
    NONE,
    /** Worth a retry, if a retry is safe. */
    RETRY,
    /** No retry. */
    STOP
  }

  /** The opinion about one attempt. */
  Opinion opinion(Outcome outcome, RequestTraits traits);

  /** A hook without an opinion. */
  static RetryHook none() {
    return (outcome, traits) -> Opinion.NONE;
  }

  /**
   * A hook made of two predicates over the status, if there was a response, and the exception, if
   * there was none.
   *
   * @param failure whether it is a failure worth a retry
   * @param abort whether it is final; wins over {@code failure}
   */
  static RetryHook of(
      BiPredicate<OptionalInt, Optional<IOException>> failure,
      BiPredicate<OptionalInt, Optional<IOException>> abort) {
    return (outcome, traits) -> {
      OptionalInt status = OptionalInt.empty();
      Optional<IOException> error = Optional.empty();
      if (outcome instanceof Outcome.Responded responded) {
        status = OptionalInt.of(responded.status());
      } else if (outcome instanceof Outcome.Failed failed) {
        error = Optional.of(failed.cause());
      }
      if (abort.test(status, error)) {
        return Opinion.STOP;
      }
      return failure.test(status, error) ? Opinion.RETRY : Opinion.NONE;
    };
  }
}
