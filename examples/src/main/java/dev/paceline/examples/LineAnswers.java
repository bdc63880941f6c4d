package dev.paceline.examples;

import java.util.function.Consumer;

/** Answers the lines of an input, one after the other. */
interface LineAnswers {
  /**
   * Answers a line.
   *
   * @param text the line without its end
   * @param out takes what is to be printed
   * @throws BadLineException if the line has no answer
   */
  void to(String text, Consumer<String> out) throws BadLineException;

  /** Answers what the end of the input completes. */
  default void atEnd(Consumer<String> out) {}
}
