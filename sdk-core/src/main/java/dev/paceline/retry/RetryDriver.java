package dev.paceline.retry;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Drives a logical call through its attempts, blocking or not. Thread-safe.
 *
 * <p>The first attempt runs bare, so a call that succeeds pays for nothing. Only after a failure of
 * a blocking call a Failsafe execution takes over; it has no delay, no jitter and no maximum
 * duration, because the wait before a retry is the {@code notBefore} of the next permit: Failsafe's
 * sleeps do not wake on cancellation, its jitter shortens what a provider asked for, and its
 * maximum duration turns the last gaps into zero.
 *
 * <p>Asynchronous calls have a loop of their own. Failsafe 3.3.2 schedules the next attempt first
 * and cancels the stages of the last one afterwards, which hits the next one where it has begun by
 * then; and it begins attempts inside its locks.
 */
public final class RetryDriver {

  private static final dev.failsafe.RetryPolicy<Step<?>> WHILE_AGAIN =
      dev.failsafe.RetryPolicy.<Step<?>>builder()
          .handleResultIf(step -> step instanceof Step.Again)
          .abortOn(Throwable.class)
          .withMaxRetries(-1)
          .build();

  private final LongSupplier nanoTime;

  /**
   * A driver.
   *
   * @param nanoTime the monotonic clock of deadlines and {@code notBefore}, in nanoseconds
   */
  public RetryDriver(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Runs a call on this thread.
   *
   * @param deadlineNanos on the monotonic clock, or {@link RetrySession#NO_DEADLINE}
   * @return the last response, untouched; {@link RetrySession#report} says why it is the last
   * @throws RetryStoppedException if the last attempt failed and a bound stopped the next one; the
   *     cause is that failure
   * @throws IOException the failure of the only possible attempt, or of getting a permit
   */
  public <T> T call(RetrySession session, Attempt.Blocking<T> attempt, long deadlineNanos)
      throws IOException {
    LogicalCall<T> call = new LogicalCall<>(session, attempt, nanoTime, deadlineNanos);
    Step<T> step = once(call, attempt);
    if (step instanceof Step.Again) {
      step = again(call, attempt);
    }
    if (step instanceof Step.Done<T> done) {
      return done.response();
    }
    throw ((Step.Broken<T>) step).error();
  }

  private static <T> Step<T> once(LogicalCall<T> call, Attempt.Blocking<T> attempt) {
    Attempted<T> attempted;
    try {
      call.begin();
      attempted = attempt.send(call.number(), call.notBeforeNanos());
    } catch (IOException refusal) {
      return call.refused(refusal);
    } catch (RuntimeException | Error thrown) {
      call.abandoned();
      throw thrown;
    }
    return call.judge(attempted);
  }

  private static <T> Step<T> again(LogicalCall<T> call, Attempt.Blocking<T> attempt) {
    try {
      return Failsafe.with(WHILE_AGAIN)
          .get(
              () ->
                  Thread.currentThread().isInterrupted()
                      ? call.refused(interrupted())
                      : once(call, attempt));
    } catch (FailsafeException e) {
      if (e.getCause() instanceof InterruptedException) {
        // Failsafe looks at the flag between its own attempts, and has set it again.
        return call.refused(interrupted());
      }
      throw e;
    }
  }

  private static InterruptedIOException interrupted() {
    return new InterruptedIOException("interrupted before a retry");
  }

  /**
   * Runs a call without holding a thread. An attempt begins on the thread that completed the one
   * before, never inside it: the stack does not grow with the number of attempts.
   *
   * @return completed as {@link #call} returns or throws
   */
  public <T> CompletableFuture<T> callAsync(
      RetrySession session, Attempt.Async<T> attempt, long deadlineNanos) {
    return new AsyncLoop<>(new LogicalCall<>(session, attempt, nanoTime, deadlineNanos), attempt)
        .start();
  }
}
