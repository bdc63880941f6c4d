package dev.paceline.examples;

import java.util.Optional;

/** Answers the lines of an input, one after the other. */
interface LineAnswers {
  /**
   * Answers a line.
   *
   * @param text the line without its end
   * @return what to print; empty for nothing, or nothing yet
   * @throws BadLineException if the line has no answer
   */
  Optional<String> to(String text) throws BadLineException;

  /** Answers what the end of the input completes. */
  default Optional<String> atEnd() {
    return Optional.empty();
  }
}
