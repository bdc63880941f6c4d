package dev.paceline.okhttp;

import java.io.IOException;

/**
 * Failures of HTTP/2 that prove that the server has not looked at the request, although its headers
 * were sent (RFC 9113, sections 6.8 and 8.7).
 */
final class Unprocessed {

  private Unprocessed() {}

  static boolean proves(IOException failure) {
    // The types are internal to OkHttp.
    String type = failure.getClass().getSimpleName();
    return type.equals("ConnectionShutdownException")
        || (type.equals("StreamResetException")
            && "stream was reset: REFUSED_STREAM".equals(failure.getMessage()));
  }
}
