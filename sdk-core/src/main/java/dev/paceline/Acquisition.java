package dev.paceline;

import dev.paceline.pace.Passage;
import java.io.InterruptedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A call that asks for its permits: done at once, or waiting. It can be waited for by parking or by
 * a callback, and cancelled. Thread-safe; the first of the two that waits is served.
 */
public final class Acquisition {

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Acquisition.class, "state", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final long LONG_PARK_NANOS = 3_600_000_000_000L;

  /** Nothing happened yet. */
  private static final Object WAITING = new Object();

  /** Nobody wants the outcome any more. */
  private static final Object ABANDONED = new Object();

  private final Scope scope;
  private final AcquireOptions options;
  private final long asked;

  /** {@link #WAITING}, a thread that parks, a callback, a {@link Permit} or an exception. */
  private volatile Object state = WAITING;

  private volatile @Nullable Passage passage;

  Acquisition(Scope scope, AcquireOptions options, long asked) {
    this.scope = scope;
    this.options = options;
    this.asked = asked;
  }

  void granted(Permit permit) {
    finish(permit);
  }

  void began(Passage begun) {
    passage = begun;
  }

  void ended(Passage ended) {
    if (ended.refusal().isPresent()) {
      finish(scope.refusal(ended, options));
    } else {
      finish(scope.granted(ended, asked));
    }
  }

  private void finish(Object outcome) {
    Object before = STATE.getAndSet(this, outcome);
    if (before instanceof Thread thread) {
      scope.engine().time().unpark(thread);
    } else if (before instanceof Runnable callback) {
      scope.engine().completions().execute(callback);
    } else if (before == ABANDONED && outcome instanceof Permit permit) {
      permit.giveBack();
    }
  }

  /** When the call asked: a reading of the ticker. */
  public long askedNanos() {
    return asked;
  }

  /** Ends it without waiting for the outcome: a permit that is there, or comes, is given back. */
  public void abandon() {
    cancel();
    if (STATE.getAndSet(this, ABANDONED) instanceof Permit permit) {
      permit.giveBack();
    }
  }

  /** True once there is a permit or a refusal. */
  public boolean isDone() {
    Object seen = state;
    return seen instanceof Permit || seen instanceof PacelineException;
  }

  /** True once there is a permit. */
  public boolean isGranted() {
    return state instanceof Permit;
  }

  /**
   * Ends the wait at once; what it held goes to the next caller. {@link #permit} then throws a
   * {@link WaitCancelledException}, unless the acquisition was done before.
   */
  public void cancel() {
    Passage begun = passage;
    if (begun != null) {
      begun.cancel();
    }
  }

  /**
   * Runs {@code callback} on Paceline's executor when it is done, or on this thread if it is
   * already. At most one callback, and not beside {@link #await}.
   */
  public void whenDone(Runnable callback) {
    if (!STATE.compareAndSet(this, WAITING, callback)) {
      callback.run();
    }
  }

  /**
   * Parks this thread until there is a permit or a refusal.
   *
   * @throws PacelineException the refusal
   * @throws InterruptedIOException if the thread was interrupted; its flag is set again, and the
   *     wait was cancelled
   */
  public Permit await() throws PacelineException, InterruptedIOException {
    if (STATE.compareAndSet(this, WAITING, Thread.currentThread())) {
      while (!isDone()) {
        scope.engine().time().park(this, LONG_PARK_NANOS);
        if (Thread.currentThread().isInterrupted() && !isDone()) {
          abandon();
          throw new InterruptedIOException("interrupted while waiting for a permit");
        }
      }
    }
    return permit();
  }

  /**
   * The outcome of what {@link #isDone}.
   *
   * @throws PacelineException the refusal
   * @throws IllegalStateException if it is not done
   */
  public Permit permit() throws PacelineException {
    Object seen = state;
    if (seen instanceof Permit permit) {
      return permit;
    }
    if (seen instanceof PacelineException refusal) {
      throw refusal;
    }
    throw new IllegalStateException("the acquisition is not done");
  }
}
