package dev.paceline;

import dev.paceline.limit.Decision;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * Permits for code that is not an HTTP client: one upstream's schedule, for one owner. Thread-safe.
 *
 * <p>{@link #acquire} waits, {@link #acquireAsync} holds no thread, {@link #tryAcquire()} never
 * waits.
 */
public final class Limiter {

  private final Scope scope;

  Limiter(Scope scope) {
    this.scope = scope;
  }

  /** The groups that a permit is charged to. */
  public Scope scope() {
    return scope;
  }

  /**
   * Takes a permit if one is free now. With a shared store this asks it, within its timeout. Where
   * the calls in flight are limited, one must be free, but the call does not count as one of them:
   * nobody would say when it is over.
   */
  public boolean tryAcquire() {
    return scope.tryNow();
  }

  /**
   * Takes a permit if one is free now, and says what is left or how long it would take.
   *
   * @param options what it costs; a wait in it is not used, and the calls in flight are not looked
   *     at
   */
  public Decision tryAcquire(AcquireOptions options) {
    return scope.decide(options);
  }

  /**
   * Waits for a permit as long as Paceline allows.
   *
   * @throws PacelineException if there is none in time
   * @throws java.io.InterruptedIOException if the thread is interrupted
   */
  public Permit acquire() throws IOException {
    return acquire(AcquireOptions.standard());
  }

  /**
   * Waits for a permit.
   *
   * @throws PacelineException if there is none in time
   * @throws java.io.InterruptedIOException if the thread is interrupted
   */
  public Permit acquire(AcquireOptions options) throws IOException {
    Permit permit = scope.acquire(options).await();
    permit.sent();
    return permit;
  }

  /**
   * Waits for a permit without a thread. Cancelling the future ends the wait.
   *
   * @return completes with the permit, or with a {@link PacelineException}, on Paceline's executor
   */
  public CompletableFuture<Permit> acquireAsync(AcquireOptions options) {
    Acquisition acquisition = scope.acquire(options);
    PermitFuture future = new PermitFuture(acquisition);
    acquisition.whenDone(future);
    return future;
  }

  private static final class PermitFuture extends CompletableFuture<Permit> implements Runnable {

    private final Acquisition acquisition;

    PermitFuture(Acquisition acquisition) {
      this.acquisition = acquisition;
    }

    @Override
    public void run() {
      try {
        Permit permit = acquisition.permit();
        if (complete(permit)) {
          permit.sent();
        } else {
          permit.giveBack();
        }
      } catch (PacelineException e) {
        completeExceptionally(e);
      }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      boolean cancelled = super.cancel(mayInterruptIfRunning);
      if (cancelled) {
        acquisition.cancel();
      }
      return cancelled;
    }
  }
}
