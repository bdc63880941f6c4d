package dev.paceline.retry;

import java.io.IOException;

/** Where a logical call stands after an attempt. */
sealed interface Step<T> {

  /** The response reaches the caller. */
  record Done<T>(T response) implements Step<T> {}

  /** The exception does. */
  record Broken<T>(IOException error) implements Step<T> {}

  /** There is another attempt. */
  record Again<T>() implements Step<T> {}
}
