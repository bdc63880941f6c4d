package dev.paceline.retry;

/**
 * An attempt that was made.
 *
 * @param <T> the response
 */
public sealed interface Attempted<T> {

  /** What came of it. */
  Outcome outcome();

  /** There was a response. */
  record Response<T>(T response, Outcome.Responded outcome) implements Attempted<T> {}

  /** There was none. */
  record Failure<T>(Outcome.Failed outcome) implements Attempted<T> {}
}
