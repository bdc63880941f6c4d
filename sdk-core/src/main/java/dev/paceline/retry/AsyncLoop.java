package dev.paceline.retry;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one asynchronous call, one after the other, on whichever thread completes one.
 */
final class AsyncLoop<T> {
  private final LogicalCall<T> call;
  private final Attempt.Async<T> attempt;
  private final CompletableFuture<T> result = new CompletableFuture<>();

  /**
   * Attempts that are to begin. An attempt may complete on the thread that began it, even before
   * that returns: then the loop below goes round instead of entering itself.
   */
  private final AtomicInteger due = new AtomicInteger();

  AsyncLoop(LogicalCall<T> call, Attempt.Async<T> attempt) {
    this.call = call;
    this.attempt = attempt;
  }

  CompletableFuture<T> start() {
    next();
    return result;
  }

  private void next() {
    if (due.getAndIncrement() > 0) {
      return;
    }
    do {
      begin();
    } while (due.decrementAndGet() > 0);
  }

  private void begin() {
    CompletionStage<Attempted<T>> stage;
    try {
      call.begin();
      stage = attempt.send(call.number(), call.notBeforeNanos());
    } catch (IOException refusal) {
      proceed(call.refused(refusal));
      return;
    } catch (RuntimeException | Error thrown) {
      abandon(thrown);
      return;
    }
    stage.whenComplete(this::ended);
  }

  private void ended(@Nullable Attempted<T> attempted, @Nullable Throwable thrown) {
    if (attempted == null) {
      failed(thrown);
      return;
    }
    Step<T> step;
    try {
      step = call.judge(attempted);
    } catch (RuntimeException | Error unforeseen) {
      // Swallowed by the stage otherwise, and the caller would wait for ever.
      abandon(unforeseen);
      return;
    }
    proceed(step);
  }

  private void failed(@Nullable Throwable thrown) {
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    if (cause instanceof IOException refusal) {
      proceed(call.refused(refusal));
    } else {
      abandon(cause == null ? new IllegalStateException("an attempt without outcome") : cause);
    }
  }

  private void proceed(Step<T> step) {
    if (step instanceof Step.Done<T> done) {
      result.complete(done.response());
    } else if (step instanceof Step.Broken<T> broken) {
      result.completeExceptionally(broken.error());
    } else {
      next();
    }
  }

  private void abandon(Throwable thrown) {
    call.abandoned();
    result.completeExceptionally(thrown);
  }
}
