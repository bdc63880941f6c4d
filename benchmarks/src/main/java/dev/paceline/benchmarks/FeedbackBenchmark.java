package dev.paceline.benchmarks;

import dev.paceline.feedback.FeedbackReader;
import dev.paceline.feedback.HeaderLines;
import dev.paceline.feedback.Profiles;
import dev.paceline.feedback.Reading;
import dev.paceline.feedback.ResponseFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The reading of one response: 50 µs for an ordinary one, 5 ms and 1 MiB for the most hostile one
 * that an HTTP client lets through (256 KiB of header).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FeedbackBenchmark {

  private static final Instant NOW = Instant.parse("2026-01-15T12:00:00Z");
  private static final int HEADER_BYTES = 256 * 1024;
  private static final int LONGEST_VALUE = 8192;

  /** Whose response is read. */
  public enum Response {
    /** Fourteen lines, none of interest. */
    SILENT,
    /** The counters of GitHub, an epoch measured against the response's date. */
    COUNTERS,
    /** A refusal of Anthropic with four quotas. */
    REFUSAL,
    /** A refusal whose reason is in the body. */
    BODY,
    /** Structured fields that end in an error, on as many lines as fit. */
    HOSTILE_FIELDS,
    /** Lines of every known name, each with the longest value that is read. */
    HOSTILE_VALUES,
    /** A body of numbers as long as is read. */
    HOSTILE_BODY
  }

  @Param public Response response = Response.SILENT;

  private FeedbackReader reader = FeedbackReader.standard();
  private ResponseFacts facts = facts(200, List.of());

  /** Builds the response. */
  @Setup
  public void build() {
    switch (response) {
      case SILENT -> facts = facts(200, ordinary());
      case COUNTERS -> {
        List<Map.Entry<String, String>> lines = ordinary();
        lines.add(Map.entry("x-ratelimit-limit", "5000"));
        lines.add(Map.entry("x-ratelimit-remaining", "4987"));
        lines.add(Map.entry("x-ratelimit-reset", "1768480200"));
        lines.add(Map.entry("x-ratelimit-used", "13"));
        lines.add(Map.entry("x-ratelimit-resource", "core"));
        facts = facts(200, lines);
      }
      case REFUSAL -> {
        List<Map.Entry<String, String>> lines = ordinary();
        lines.add(Map.entry("Retry-After", "42"));
        for (String quota : List.of("requests", "tokens", "input-tokens", "output-tokens")) {
          lines.add(Map.entry("anthropic-ratelimit-" + quota + "-limit", "30000"));
          lines.add(Map.entry("anthropic-ratelimit-" + quota + "-remaining", "0"));
          lines.add(Map.entry("anthropic-ratelimit-" + quota + "-reset", "2026-01-15T12:00:42Z"));
        }
        facts = facts(429, lines);
      }
      case BODY -> {
        reader = FeedbackReader.of(Profiles.openai());
        String body =
            "{\"error\":{\"message\":\"Rate limit reached: Limit 30000, Requested 1200.\","
                + "\"type\":\"tokens\",\"param\":null,\"code\":\"rate_limit_exceeded\"}}";
        facts = new ResponseFacts(429, HeaderLines.of(ordinary()), NOW, Optional.of(body));
      }
      case HOSTILE_FIELDS ->
          facts = facts(429, filled(List.of("RateLimit", "RateLimit-Policy"), 64));
      case HOSTILE_VALUES ->
          facts =
              facts(
                  429,
                  filled(
                      List.of(
                          "RateLimit",
                          "RateLimit-Policy",
                          "X-RateLimit-Limit",
                          "X-RateLimit-Remaining",
                          "X-RateLimit-Reset",
                          "Sforce-Limit-Info",
                          "X-Business-Use-Case-Usage",
                          "auth0-client-quota-limit",
                          "Retry-After"),
                      LONGEST_VALUE));
      case HOSTILE_BODY -> {
        reader = FeedbackReader.of(Profiles.shopifyGraphql());
        String body = "{\"extensions\":{\"cost\":[" + "1,".repeat(HEADER_BYTES);
        facts = new ResponseFacts(200, HeaderLines.of(ordinary()), NOW, Optional.of(body));
      }
    }
  }

  private static ResponseFacts facts(int status, List<Map.Entry<String, String>> lines) {
    return ResponseFacts.of(status, HeaderLines.of(lines), NOW);
  }

  private static List<Map.Entry<String, String>> ordinary() {
    List<Map.Entry<String, String>> lines = new ArrayList<>();
    lines.add(Map.entry("Date", "Thu, 15 Jan 2026 12:00:00 GMT"));
    lines.add(Map.entry("Content-Type", "application/json; charset=utf-8"));
    for (String name :
        List.of(
            "Server",
            "Cache-Control",
            "ETag",
            "Vary",
            "X-Request-Id",
            "X-Content-Type-Options",
            "Strict-Transport-Security",
            "Access-Control-Allow-Origin",
            "Content-Security-Policy",
            "Referrer-Policy",
            "X-Frame-Options",
            "Content-Length")) {
      lines.add(Map.entry(name, "some value of ordinary length"));
    }
    return lines;
  }

  private static List<Map.Entry<String, String>> filled(List<String> names, int length) {
    String pattern = "\"a\";r=1;t=1;q=1, ";
    String value = pattern.repeat(length / pattern.length() + 1).substring(0, length);
    List<Map.Entry<String, String>> lines = new ArrayList<>();
    int row = 0;
    for (int left = HEADER_BYTES; left > 0; left -= length) {
      lines.add(Map.entry(names.get(row++ % names.size()), value));
    }
    return lines;
  }

  /** Reads it. */
  @Benchmark
  public Reading read() {
    return reader.read(facts);
  }
}
