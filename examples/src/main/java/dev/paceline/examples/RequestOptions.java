package dev.paceline.examples;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is sent, and where. */
final class RequestOptions {
  private static final Set<String> WITHOUT_BODY = Set.of("GET", "HEAD");
  private static final Set<String> WITH_BODY =
      Set.of("POST", "PUT", "PATCH", "PROPPATCH", "REPORT", "QUERY");

  @Option(
      names = "--url",
      required = true,
      paramLabel = "URL",
      description = "What to call: an http or https URL.")
  private HttpUrl url = HttpUrl.get("http://localhost/");

  @Option(
      names = "--method",
      paramLabel = "M",
      defaultValue = "GET",
      description = "The request's method; ${DEFAULT-VALUE} by default.")
  private String method = "GET";

  @Option(names = "--body", paramLabel = "TEXT", description = "The request's body.")
  private @Nullable String body;

  @Option(
      names = "--header",
      paramLabel = "'N: V'",
      description = "A header of the request; may be repeated.")
  private List<Header> headers = new ArrayList<>();

  @Option(
      names = "--idempotency-key",
      description = "Mint an idempotency key for each call, the same on each of its attempts.")
  private boolean idempotencyKey;

  @Option(
      names = "--call-timeout",
      paramLabel = "D",
      description = "OkHttp's timeout of a whole call; none by default.")
  private @Nullable Duration callTimeout;

  /** A line of the request's head. */
  record Header(String name, String value) {
    /**
     * Reads a name, a colon and a value.
     *
     * @throws IllegalArgumentException without the value, which may be a secret
     */
    static Header parse(String text) {
      int colon = text.indexOf(':');
      if (colon < 1) {
        throw new IllegalArgumentException("a header is written 'Name: value'");
      }
      Header header =
          new Header(text.substring(0, colon).strip(), text.substring(colon + 1).strip());
      try {
        new Headers.Builder().add(header.name, header.value);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "the header '%s' has a character that is not allowed".formatted(header.name), e);
      }
      return header;
    }
  }

  HttpUrl url() {
    return url;
  }

  boolean idempotencyKey() {
    return idempotencyKey;
  }

  Optional<Duration> callTimeout() {
    return Optional.ofNullable(callTimeout);
  }

  /**
   * The request.
   *
   * @throws IllegalArgumentException if the method and the body do not go together
   */
  Request request() {
    String upper = method.toUpperCase(Locale.ROOT);
    if (upper.isEmpty() || !upper.chars().allMatch(c -> c >= 'A' && c <= 'Z')) {
      throw new IllegalArgumentException("--method is '%s': it must be letters".formatted(method));
    }
    if (body != null && WITHOUT_BODY.contains(upper)) {
      throw new IllegalArgumentException(
          "--body goes with a method that has one, such as --method POST; %s has none"
              .formatted(upper));
    }
    Request.Builder request = new Request.Builder().url(url).method(upper, requestBody(upper));
    headers.forEach(header -> request.addHeader(header.name, header.value));
    return request.build();
  }

  private @Nullable RequestBody requestBody(String upper) {
    if (body == null && !WITH_BODY.contains(upper)) {
      return null;
    }
    String text = body == null ? "" : body;
    return RequestBody.create(text.getBytes(StandardCharsets.UTF_8));
  }
}
