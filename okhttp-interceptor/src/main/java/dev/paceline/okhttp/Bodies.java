package dev.paceline.okhttp;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import okhttp3.Connection;
import okhttp3.MultipartBody;
import okhttp3.Protocol;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.BufferedSink;
import okio.BufferedSource;
import okio.ForwardingSink;
import okio.Okio;
import org.jspecify.annotations.Nullable;

/** What happens to bodies between two attempts. */
final class Bodies {

  /** The most that is read of a refused response, so that its connection can be used again. */
  static final int MOST_DRAINED = 65_536;

  /** From here on a new connection costs less than one that stands idle. */
  private static final long LONG_WAIT_NANOS = 1_000_000_000;

  private static final long DRAIN_MILLIS = 100;

  private Bodies() {}

  /** Whether the body says that it can be written more than once. */
  static boolean claimsReplay(@Nullable RequestBody body) {
    return body == null || !(body.isOneShot() || body.isDuplex());
  }

  /**
   * Lets go of a response that nobody reads. A short rest of it is read, and the connection lives
   * on; with a long or slow one the connection ends.
   */
  static void letGo(Response response, @Nullable Connection connection) {
    try (ResponseBody body = response.body()) {
      BufferedSource source = body.source();
      source.timeout().deadline(DRAIN_MILLIS, TimeUnit.MILLISECONDS);
      boolean more = source.request(MOST_DRAINED + 1L);
      if (more && connection != null && connection.protocol() != Protocol.HTTP_2) {
        // Closing the body alone would read on for a while.
        connection.socket().close();
      }
    } catch (IOException | RuntimeException e) {
      // The response is of no use to anybody; that it broke changes nothing.
    }
  }

  /**
   * Closes the connection of a call that is about to wait long. OkHttp leaves it to the call until
   * that has ended, and a server may allow few. One of HTTP/2 is shared and stays.
   */
  static void release(@Nullable Connection connection, long waitNanos) {
    if (connection == null
        || waitNanos < LONG_WAIT_NANOS
        || connection.protocol() == Protocol.HTTP_2) {
      return;
    }
    try {
      connection.socket().close();
    } catch (IOException e) {
      // Then it is of no use to anybody already.
    }
  }

  /**
   * Whether a body that was sent can be sent again. A body made from a stream may claim it and be
   * empty the second time, so one whose origin is not known is written once more, into nothing, and
   * must be as long as it was.
   *
   * @param sent how many bytes were sent; -1 if not all
   */
  static boolean isThereAgain(@Nullable RequestBody body, long sent) {
    if (body == null || isInMemory(body)) {
      return true;
    }
    if (!claimsReplay(body)) {
      return false;
    }
    try {
      long expected = sent >= 0 ? sent : body.contentLength();
      return expected >= 0 && length(body) == expected;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  /** OkHttp's own bodies of known length hold bytes or name a file. */
  private static boolean isInMemory(RequestBody body) {
    try {
      return body.getClass().getName().startsWith("okhttp3.")
          && !(body instanceof MultipartBody)
          && !body.isOneShot()
          && body.contentLength() >= 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static long length(RequestBody body) throws IOException {
    Counting counting = new Counting();
    BufferedSink sink = Okio.buffer(counting);
    body.writeTo(sink);
    sink.flush();
    return counting.bytes;
  }

  private static final class Counting extends ForwardingSink {

    private long bytes;

    Counting() {
      super(Okio.blackhole());
    }

    @Override
    public void write(Buffer source, long byteCount) throws IOException {
      bytes += byteCount;
      super.write(source, byteCount);
    }
  }
}
