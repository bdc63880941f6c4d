package dev.paceline.retry;

import java.io.IOException;
import java.util.concurrent.CompletionStage;

/**
 * The input and output of a logical call, for {@link RetryDriver}.
 *
 * @param <T> the response
 */
public interface Attempt<T> {

  /** Lets go of a response that does not reach the caller; before any wait. Must not throw. */
  void discard(T response);

  /** Attempts on the caller's thread. */
  interface Blocking<T> extends Attempt<T> {
    /**
     * Waits for a permit, sends once, and says what came of it.
     *
     * @param number from 1
     * @param notBeforeNanos the permit must not start earlier, on the monotonic clock; the first
     *     attempt may start at once, whatever this is
     * @throws IOException if there was no permit, which ends the call. A failure to send is an
     *     {@link Attempted.Failure}
     */
    Attempted<T> send(int number, long notBeforeNanos) throws IOException;
  }

  /** Attempts that hold no thread while they wait. */
  interface Async<T> extends Attempt<T> {
    /** As {@link Blocking#send}; where that throws, the stage fails with the IOException. */
    CompletionStage<Attempted<T>> send(int number, long notBeforeNanos);
  }
}
