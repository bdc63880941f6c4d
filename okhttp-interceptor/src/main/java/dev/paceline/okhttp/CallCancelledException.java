package dev.paceline.okhttp;

import dev.paceline.PacelineException;
import java.io.IOException;
import java.io.InterruptedIOException;

/**
 * The call was cancelled, or its timeout came. Does not leave this package: the application gets
 * what OkHttp says in such a case.
 */
final class CallCancelledException extends InterruptedIOException {

  private final IOException reason;

  CallCancelledException(IOException reason) {
    super("Canceled");
    this.reason = reason;
    initCause(reason);
  }

  IOException asOkHttpSays() {
    return reason instanceof PacelineException ? new IOException("Canceled", reason) : reason;
  }
}
