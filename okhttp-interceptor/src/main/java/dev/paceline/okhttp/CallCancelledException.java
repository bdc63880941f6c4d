package dev.paceline.okhttp;

import java.io.InterruptedIOException;

/**
 * The call was cancelled, or its timeout came, while it waited. Does not leave this package: OkHttp
 * says {@code IOException: Canceled}, and so does {@link #asOkHttpSays}.
 */
final class CallCancelledException extends InterruptedIOException {

  CallCancelledException(Throwable cause) {
    super("Canceled");
    initCause(cause);
  }

  java.io.IOException asOkHttpSays() {
    return new java.io.IOException("Canceled", getCause());
  }
}
