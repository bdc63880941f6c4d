package dev.paceline.examples;

/** A line of the input that cannot be answered; the message says why, in one line. */
final class BadLineException extends Exception {
  private static final long serialVersionUID = 1L;

  BadLineException(String message) {
    super(message);
  }

  BadLineException(String message, Throwable cause) {
    super(message, cause);
  }
}
