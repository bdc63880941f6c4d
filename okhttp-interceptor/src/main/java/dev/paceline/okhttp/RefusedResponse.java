package dev.paceline.okhttp;

import java.io.IOException;
import okhttp3.Headers;
import okhttp3.Response;

/**
 * The provider's response to a call that ended in a refusal: its cause. The response itself is
 * closed; what was read of it is here.
 */
public final class RefusedResponse extends IOException {

  private final int code;
  private final transient Headers headers;
  private final String body;

  RefusedResponse(Response response) {
    super("HTTP " + response.code());
    this.code = response.code();
    this.headers = response.headers();
    this.body = Readings.start(response, Bodies.MOST_DRAINED).orElse("");
  }

  /** The status. */
  public int code() {
    return code;
  }

  /** All headers, as the provider sent them. */
  public Headers headers() {
    return headers;
  }

  /** At most the first 64 KiB of the body, as text. */
  public String body() {
    return body;
  }
}
