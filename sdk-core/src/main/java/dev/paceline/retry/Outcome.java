package dev.paceline.retry;

import dev.paceline.feedback.Reading;
import java.io.IOException;

/** What came of one attempt. */
public sealed interface Outcome {

  /**
   * The server answered.
   *
   * @param status the HTTP status
   * @param reading what the response says about limits
   */
  record Responded(int status, Reading reading) implements Outcome {}

  /**
   * There was no answer.
   *
   * @param cause what went wrong
   * @param sent whether the provider may have begun to process this attempt's request; false only
   *     if nothing of it reached the wire, or the server refused its HTTP/2 stream
   * @param connectFailure whether the connection could not be made: resolving, connecting, TLS
   */
  record Failed(IOException cause, boolean sent, boolean connectFailure) implements Outcome {}
}
