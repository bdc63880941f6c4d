package dev.paceline.feedback;

import java.time.Instant;
import java.util.Optional;

/**
 * What was received.
 *
 * @param status the HTTP status code
 * @param headers the header lines, not the trailers
 * @param receivedAt the wall clock when the headers arrived
 * @param body the start of the body as text, present only where {@link Profile#readsBody} asked for
 *     it, at most {@link Profile#bodyBytes} bytes of it
 */
public record ResponseFacts(
    int status, HeaderLines headers, Instant receivedAt, Optional<String> body) {

  /** Returns the facts of a response whose body is not read. */
  public static ResponseFacts of(int status, HeaderLines headers, Instant receivedAt) {
    return new ResponseFacts(status, headers, receivedAt, Optional.empty());
  }
}
