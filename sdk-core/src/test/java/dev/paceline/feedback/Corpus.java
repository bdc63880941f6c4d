package dev.paceline.feedback;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Responses of providers, real and hostile, with their right reading. */
final class Corpus {

  /** A response and its reading; windows compare in any order, numbers by value. */
  record Case(
      String id,
      String vendor,
      Instant now,
      int status,
      HeaderLines headers,
      Optional<String> body,
      boolean needsProfile,
      boolean needsBody,
      String expected) {

    ResponseFacts facts(boolean withBody) {
      return new ResponseFacts(status, headers, now, withBody ? body : Optional.empty());
    }

    @Override
    public String toString() {
      return id;
    }
  }

  private Corpus() {}

  static List<Case> cases() {
    ObjectMapper mapper = new ObjectMapper();
    try (InputStream in = Corpus.class.getResourceAsStream("/feedback/cases.jsonl");
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      List<Case> cases = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        cases.add(parse(mapper.readTree(line)));
      }
      return cases;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Case parse(JsonNode node) {
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    for (JsonNode header : node.get("headers")) {
      headers.add(Map.entry(header.get(0).asText(), header.get(1).asText()));
    }
    List<String> requires = new ArrayList<>();
    node.path("requires").forEach(each -> requires.add(each.asText()));
    return new Case(
        node.get("id").asText(),
        node.get("vendor").asText(),
        Instant.parse(node.get("now").asText()),
        node.get("status").asInt(),
        HeaderLines.of(headers),
        Optional.ofNullable(node.get("body")).map(JsonNode::asText),
        requires.contains("profile"),
        requires.contains("body"),
        expected(node.get("expect")));
  }

  private static String expected(JsonNode expect) {
    List<String> windows =
        StreamSupport.stream(expect.get("windows").spliterator(), false)
            .map(
                window ->
                    window(
                        window.get("name").asText(),
                        decimal(window.get("limit")),
                        decimal(window.get("remaining")),
                        decimal(window.get("resetMs")),
                        decimal(window.get("windowMs")),
                        window.get("unit").asText()))
            .sorted()
            .toList();
    return text(decimal(expect.get("retryAfterMs")), expect.get("throttled").asBoolean(), windows);
  }

  private static @Nullable BigDecimal decimal(JsonNode node) {
    return node.isNull() ? null : new BigDecimal(node.asText());
  }

  /** Returns the reading in the form of {@link Case#expected}. */
  static String describe(Reading reading) {
    List<String> windows =
        reading.windows().stream()
            .map(
                window ->
                    window(
                        window.name(),
                        window.limit().orElse(null),
                        window.left().orElse(null),
                        millis(window.reset()),
                        millis(window.window()),
                        window.unit()))
            .sorted()
            .toList();
    return text(millis(reading.retryAfter()), reading.throttled(), windows);
  }

  private static @Nullable BigDecimal millis(Optional<Duration> duration) {
    return duration.map(each -> BigDecimal.valueOf(each.toMillis())).orElse(null);
  }

  private static String window(
      String name,
      @Nullable BigDecimal limit,
      @Nullable BigDecimal remaining,
      @Nullable BigDecimal reset,
      @Nullable BigDecimal window,
      String unit) {
    return String.join(
        "|", name, plain(limit), plain(remaining), plain(reset), plain(window), unit);
  }

  private static String text(
      @Nullable BigDecimal retryAfter, boolean throttled, List<String> windows) {
    return "retryAfter=" + plain(retryAfter) + " throttled=" + throttled + " windows=" + windows;
  }

  private static String plain(@Nullable BigDecimal value) {
    if (value == null) {
      return "-";
    }
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
  }
}
