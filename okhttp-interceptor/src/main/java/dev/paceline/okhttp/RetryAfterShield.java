package dev.paceline.okhttp;

import java.util.List;
import okhttp3.Response;

/**
 * Keeps from OkHttp what would make it repeat a request by itself, or fail. It sends a 503 with
 * {@code Retry-After: 0} again at once, whatever the method, and a 408 without a wait; and on ten
 * digits in either it throws a NumberFormatException, which loses the response.
 */
final class RetryAfterShield {

  private static final String RETRY_AFTER = "Retry-After";

  /** Digits that always fit an int. */
  private static final int SAFE_DIGITS = 9;

  private RetryAfterShield() {}

  /** What OkHttp may see of a response; the rest is held for {@link #restore}. */
  static Response shield(Response response, CallProbe probe) {
    boolean timeout = response.code() == 408;
    if (!timeout && response.code() != 503) {
      probe.holdRetryAfter(null);
      return response;
    }
    String value = response.header(RETRY_AFTER);
    if (value == null ? !timeout : !provokes(value)) {
      probe.holdRetryAfter(null);
      return response;
    }
    probe.holdRetryAfter(response.headers(RETRY_AFTER));
    Response.Builder shielded = response.newBuilder().removeHeader(RETRY_AFTER);
    // Any wait keeps OkHttp from repeating a 408; none keeps it from repeating a 503.
    return (timeout ? shielded.header(RETRY_AFTER, "1") : shielded).build();
  }

  private static boolean provokes(String value) {
    boolean digits = !value.isEmpty();
    boolean zero = true;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      digits &= c >= '0' && c <= '9';
      zero &= c == '0';
    }
    return digits && (zero || value.length() > SAFE_DIGITS);
  }

  /** The response as the server sent it. */
  static Response restore(Response response, CallProbe probe) {
    List<String> held = probe.heldRetryAfter();
    if (held == null) {
      return response;
    }
    Response.Builder restored = response.newBuilder().removeHeader(RETRY_AFTER);
    held.forEach(value -> restored.addHeader(RETRY_AFTER, value));
    return restored.build();
  }
}
