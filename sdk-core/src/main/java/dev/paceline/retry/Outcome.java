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
   * @param sent whether anything of this attempt's request reached the wire; false only if that is
   *     certain
   * @param connectFailure whether the connection could not be made: resolving, connecting, TLS
   */
  record Failed(IOException cause, boolean sent, boolean connectFailure) implements Outcome {}
}
