package dev.paceline.examples;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paceline.feedback.FeedbackReader;
import dev.paceline.feedback.HeaderLines;
import dev.paceline.feedback.Profile;
import dev.paceline.feedback.QuotaWindow;
import dev.paceline.feedback.Reading;
import dev.paceline.feedback.ResponseFacts;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Responses that are one JSON object each, and what they say as another. */
final class ReceivedLines {
  private final FeedbackReader reader;

  ReceivedLines(FeedbackReader reader) {
    this.reader = reader;
  }

  /** The answer to a line. */
  String answer(String line) throws BadLineException {
    ObjectNode received = Json.parse(line);
    int status = status(received);
    ResponseFacts facts =
        new ResponseFacts(status, headers(received), receivedAt(received), body(received, status));
    ObjectNode answer = Json.object();
    answer.set("id", received.get("id"));
    return Json.line(told(answer, reader.read(facts)));
  }

  private static int status(ObjectNode received) throws BadLineException {
    long status =
        Json.whole(received, "status").orElseThrow(() -> new BadLineException("status is missing"));
    if (status < 100 || status > 599) {
      throw new BadLineException("status is %d: it must be 100 to 599".formatted(status));
    }
    return (int) status;
  }

  private static Instant receivedAt(ObjectNode received) throws BadLineException {
    JsonNode now = received.path("now");
    if (now.isMissingNode() || now.isNull()) {
      return Instant.now();
    }
    try {
      return OffsetDateTime.parse(now.asText()).toInstant();
    } catch (DateTimeException e) {
      throw new BadLineException(
          "now is %s: it must be a time such as 2026-01-15T12:00:00Z".formatted(now), e);
    }
  }

  private static HeaderLines headers(ObjectNode received) throws BadLineException {
    JsonNode headers = received.path("headers");
    if (!(headers instanceof ArrayNode array)) {
      throw new BadLineException("headers is %s: it must be an array of pairs".formatted(headers));
    }
    List<Map.Entry<String, String>> lines = new ArrayList<>(array.size());
    for (JsonNode header : array) {
      boolean isPair = header.size() == 2 && header.path(0).isTextual();
      if (!isPair || !header.path(1).isValueNode()) {
        throw new BadLineException(
            "headers has %s: it must be a name and a value".formatted(header));
      }
      lines.add(Map.entry(header.get(0).asText(), header.get(1).asText()));
    }
    return HeaderLines.of(lines);
  }

  private Optional<String> body(ObjectNode received, int status) {
    Profile profile = reader.profile();
    JsonNode body = received.path("body");
    return body.isTextual() && profile.readsBody(status)
        ? Optional.of(start(body.textValue(), profile.bodyBytes()))
        : Optional.empty();
  }

  /** What of a body fits into a number of bytes. */
  private static String start(String body, int bytes) {
    if (body.length() * 3L <= bytes) {
      return body;
    }
    byte[] whole = body.getBytes(StandardCharsets.UTF_8);
    return StandardCharsets.UTF_8
        .decode(ByteBuffer.wrap(whole, 0, Math.min(bytes, whole.length)))
        .toString();
  }

  private static ObjectNode told(ObjectNode answer, Reading reading) {
    answer.set("retryAfterMs", millis(reading.retryAfter()));
    ArrayNode windows = answer.putArray("windows");
    for (QuotaWindow window : reading.windows()) {
      ObjectNode told = windows.addObject().put("name", window.name());
      told.set("limit", Json.number(window.limit()));
      told.set("remaining", Json.number(window.left()));
      told.set("resetMs", millis(window.reset()));
      told.set("windowMs", millis(window.window()));
      told.put("unit", window.unit());
    }
    return answer.put("throttled", reading.throttled());
  }

  private static JsonNode millis(Optional<Duration> duration) {
    return Json.number(
        duration.map(exact -> BigDecimal.valueOf(exact.plusNanos(999_999).toMillis())));
  }
}
