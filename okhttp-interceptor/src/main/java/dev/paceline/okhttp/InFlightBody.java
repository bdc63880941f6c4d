package dev.paceline.okhttp;

import dev.paceline.Permit;
import java.io.IOException;
import okhttp3.MediaType;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.BufferedSource;
import okio.ForwardingSource;
import okio.Okio;
import org.jspecify.annotations.Nullable;

/**
 * A response body with whose end its call is in flight no more: read to the end, broken or closed.
 */
final class InFlightBody extends ResponseBody {

  private static final int SWITCHING_PROTOCOLS = 101;

  private final ResponseBody body;
  private final BufferedSource source;

  private InFlightBody(ResponseBody body, Permit permit) {
    this.body = body;
    this.source = Okio.buffer(new Ending(body, permit));
  }

  /** The response, whose body ends the flight; a connection that is taken over ends it now. */
  static Response of(Response response, Permit permit) {
    if (response.code() == SWITCHING_PROTOCOLS) {
      permit.close();
      return response;
    }
    return response.newBuilder().body(new InFlightBody(response.body(), permit)).build();
  }

  @Override
  public @Nullable MediaType contentType() {
    return body.contentType();
  }

  @Override
  public long contentLength() {
    return body.contentLength();
  }

  @Override
  public BufferedSource source() {
    return source;
  }

  private static final class Ending extends ForwardingSource {

    private final ResponseBody body;
    private final Permit permit;

    Ending(ResponseBody body, Permit permit) {
      super(body.source());
      this.body = body;
      this.permit = permit;
    }

    @Override
    public long read(Buffer sink, long byteCount) throws IOException {
      long read;
      try {
        read = super.read(sink, byteCount);
      } catch (IOException e) {
        permit.close();
        throw e;
      }
      if (read < 0) {
        permit.close();
      }
      return read;
    }

    @Override
    public void close() throws IOException {
      try {
        super.close();
      } finally {
        body.close();
        permit.close();
      }
    }
  }
}
