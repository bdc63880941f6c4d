package dev.paceline.retry;

import java.io.IOException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A logical call between its attempts; what blocking and asynchronous calls have in common. */
final class LogicalCall<T> {

  /** An exception instance may be shared by calls: it must not collect a note from each. */
  private static final int MOST_NOTES = 4;

  private final RetrySession session;
  private final Attempt<T> attempt;
  private final LongSupplier nanoTime;
  private final long deadlineNanos;
  private int number;
  private long notBeforeNanos;
  private @Nullable IOException lastFailure;

  LogicalCall(RetrySession session, Attempt<T> attempt, LongSupplier nanoTime, long deadlineNanos) {
    this.session = session;
    this.attempt = attempt;
    this.nanoTime = nanoTime;
    this.deadlineNanos = deadlineNanos;
  }

  void begin() throws CircuitOpenException {
    session.before();
    number++;
  }

  int number() {
    return number;
  }

  long notBeforeNanos() {
    return notBeforeNanos;
  }

  Step<T> judge(Attempted<T> attempted) {
    // Without a deadline nobody asks when the attempt ended, unless another follows.
    boolean timed = deadlineNanos != RetrySession.NO_DEADLINE;
    long ended = timed ? nanoTime.getAsLong() : 0;
    Verdict verdict = session.after(attempted.outcome(), ended, deadlineNanos);
    if (verdict instanceof Verdict.Retry retry) {
      notBeforeNanos = (timed ? ended : nanoTime.getAsLong()) + retry.delayNanos();
      lastFailure = null;
      if (attempted instanceof Attempted.Response<T> response) {
        attempt.discard(response.response());
      } else if (attempted instanceof Attempted.Failure<T> failure) {
        lastFailure = failure.outcome().cause();
      }
      return new Step.Again<>();
    }
    if (attempted instanceof Attempted.Response<T> response) {
      return new Step.Done<>(response.response());
    }
    return new Step.Broken<>(explained(((Attempted.Failure<T>) attempted).outcome().cause()));
  }

  /** There was no permit for the next attempt: the refusal reaches the caller, as it is. */
  Step<T> refused(IOException refusal) {
    if (Failures.cancelled(refusal)) {
      session.cancelled();
    } else if (!(refusal instanceof CircuitOpenException)) {
      session.notMade();
    }
    note(refusal, lastFailure);
    return new Step.Broken<>(refusal);
  }

  /** Something unforeseen was thrown instead of an attempt. */
  void abandoned() {
    session.notMade();
  }

  /** The last attempt's own exception, or one that says what stopped the next attempt. */
  private IOException explained(IOException cause) {
    RetryReport report = session.report();
    return switch (report.why()) {
      case CANCELLED, NOT_RETRYABLE -> cause;
      // One attempt means that retries are off: there is nothing to explain.
      case ATTEMPTS -> report.attempts() == 1 ? cause : new RetryStoppedException(report, cause);
      case BUDGET, DEADLINE, CIRCUIT_OPEN -> new RetryStoppedException(report, cause);
      default -> {
        // Never a retry for such a request: callers catch what they would without Paceline.
        note(cause, new RetryStoppedException(report));
        yield cause;
      }
    };
  }

  private static void note(IOException thrown, @Nullable IOException why) {
    if (why != null && why != thrown && thrown.getSuppressed().length < MOST_NOTES) {
      thrown.addSuppressed(why);
    }
  }
}
