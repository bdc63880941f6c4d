package dev.paceline.retry;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.MalformedURLException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.UnknownServiceException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** What the exception of an attempt without an answer says. */
final class Failures {

  /** Exceptions can be chained in circles. */
  private static final int CAUSES = 16;

  private Failures() {}

  /** Whether the caller ended it: cancelled, interrupted, or out of time for the whole call. */
  static boolean cancelled(IOException cause) {
    // A socket's own timeout is one, too, but a failure of the connection.
    return cause instanceof InterruptedIOException && !(cause instanceof SocketTimeoutException);
  }

  /** Whether the next attempt would fail in the same way. */
  static boolean lasting(Outcome.Failed failed) {
    IOException cause = failed.cause();
    if (cause instanceof ProtocolException
        || cause instanceof SSLPeerUnverifiedException
        || cause instanceof UnknownServiceException
        || cause instanceof MalformedURLException
        || cause instanceof FileNotFoundException) {
      return true;
    }
    return interceptors(failed) || untrusted(cause);
  }

  /**
   * Whether an interceptor threw it, not the network: nothing was sent, nothing was wrong with the
   * connection, and it is a bare IOException.
   */
  static boolean interceptors(Outcome.Failed failed) {
    return !failed.sent()
        && !failed.connectFailure()
        && failed.cause().getClass() == IOException.class;
  }

  private static boolean untrusted(Throwable thrown) {
    @Nullable Throwable cause = thrown;
    for (int i = 0; i < CAUSES && cause != null; i++) {
      if (cause instanceof CertificateException) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}
