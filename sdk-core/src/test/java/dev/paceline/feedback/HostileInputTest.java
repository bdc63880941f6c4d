package dev.paceline.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the most hostile server costs: linear time and little memory, whatever it repeats. */
final class HostileInputTest {

  private static final Instant NOW = Instant.parse("2026-01-15T12:00:00Z");

  /** The most header bytes that OkHttp accepts. */
  private static final int LARGEST = 256 * 1024;

  private static final int SMALL = LARGEST / 16;
  private static final long MEBIBYTE = 1024 * 1024;

  private static final List<String> PATTERNS =
      List.of(
          ",",
          ", ",
          ";",
          "; ",
          "=",
          "a=",
          "a=1,",
          "1, ",
          "1;w=1,",
          "1;w=1, ",
          "9",
          "x",
          "\"",
          "\\\"",
          "\"a\";r=1;t=1,",
          "\"a\";q=1;w=1, ",
          "a;r=1;b",
          "limit=1,",
          ":",
          ":YQ==:",
          "%\"",
          "(",
          "(1 ",
          "1s",
          "1.5h",
          "Thu, 15 Jan 2026 12:00:30 GMT, ",
          "[",
          "{\"a\":",
          "[1,",
          "{\"call_count\":1,\"type\":\"",
          "1/2;",
          "a=1/2; ",
          "name;1,",
          "b=h;q=1;r=1;t=1,",
          " ",
          "\t",
          "-1, ",
          "1,000,");

  private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  static Stream<String> patterns() {
    return PATTERNS.stream();
  }

  /** One line, lines of the longest value that is read, and as many short lines as fit. */
  private static List<ResponseFacts> shapes(String pattern, int size) {
    List<ResponseFacts> shapes = new ArrayList<>();
    for (int length : List.of(size, Ascii.MAX_VALUE, 60)) {
      String value = repeat(pattern, length);
      List<Map.Entry<String, String>> lines = new ArrayList<>();
      int left = size;
      int row = 0;
      while (left > 0) {
        String name = names().get(row++ % names().size());
        lines.add(Map.entry(name, value));
        left -= name.length() + length;
      }
      shapes.add(facts(lines, Optional.empty()));
    }
    for (String name : List.of("RateLimit", "X-RateLimit-Limit", "Retry-After", "X-App-Usage")) {
      List<Map.Entry<String, String>> lines = new ArrayList<>();
      for (int left = size; left > 0; left -= 60) {
        lines.add(Map.entry(name, repeat(pattern, 60 - name.length())));
      }
      shapes.add(facts(lines, Optional.empty()));
    }
    shapes.add(facts(List.of(), Optional.of(repeat(pattern, size))));
    shapes.add(facts(List.of(Map.entry(repeat(pattern, size), "1")), Optional.empty()));
    return shapes;
  }

  private static List<String> names() {
    return StandardDialect.FIELDS.stream().map(row -> row.header().replace("*", "tokens")).toList();
  }

  private static ResponseFacts facts(List<Map.Entry<String, String>> lines, Optional<String> body) {
    return new ResponseFacts(429, HeaderLines.of(lines), NOW, body);
  }

  private static String repeat(String pattern, int length) {
    return pattern.repeat(length / pattern.length() + 1).substring(0, length);
  }

  @ParameterizedTest
  @MethodSource("patterns")
  void takes_less_than_a_mebibyte(String pattern) {
    for (FeedbackReader reader : readers()) {
      for (ResponseFacts facts : shapes(pattern, LARGEST)) {
        reader.read(facts);
        long before = THREAD.getCurrentThreadAllocatedBytes();
        reader.read(facts);
        long bytes = THREAD.getCurrentThreadAllocatedBytes() - before;

        assertThat(bytes).as("bytes for %s", describe(facts)).isLessThan(MEBIBYTE);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("patterns")
  void takes_time_linear_in_the_headers(String pattern) {
    FeedbackReader reader = readers().get(1);
    List<ResponseFacts> small = shapes(pattern, SMALL);
    List<ResponseFacts> large = shapes(pattern, LARGEST);
    for (int i = 0; i < small.size(); i++) {
      long least = Math.max(bestNanos(reader, small.get(i)), 50_000);
      long most = bestNanos(reader, large.get(i));
      // A machine that does other work adds to a time, and never takes from it.
      for (int again = 0; again < 20 && most >= least * 64; again++) {
        most = Math.min(most, bestNanos(reader, large.get(i)));
      }

      // 16 times the input: linear work takes 16 times as long, quadratic work 256 times.
      assertThat(most).as("ns for %s", describe(large.get(i))).isLessThan(least * 64);
    }
  }

  @Test
  void an_ordinary_response_allocates_nothing() {
    ResponseFacts facts =
        ResponseFacts.of(
            200,
            HeaderLines.of(
                "Date", "Thu, 15 Jan 2026 12:00:00 GMT",
                "Content-Type", "application/json",
                "X-Request-Id", "limit",
                "X-RateLimit-Scope-Of-Something", "user"),
            NOW);
    FeedbackReader reader = FeedbackReader.standard();
    reader.read(facts);
    long before = THREAD.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 1_000; i++) {
      reader.read(facts);
    }

    // Less than one object in all.
    assertThat(THREAD.getCurrentThreadAllocatedBytes() - before).isLessThan(1_000);
  }

  private static List<FeedbackReader> readers() {
    return List.of(
        FeedbackReader.standard(),
        FeedbackReader.of(
            Profiles.shopifyGraphql().toBuilder()
                .bodyRules(
                    Stream.of(
                            Profiles.shopifyGraphql(),
                            Profiles.openai(),
                            Profiles.aws(),
                            Profiles.kraken())
                        .flatMap(profile -> profile.bodyRules().stream())
                        .toList())
                .build()));
  }

  private static long bestNanos(FeedbackReader reader, ResponseFacts facts) {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      long start = THREAD.getCurrentThreadCpuTime();
      reader.read(facts);
      best = Math.min(best, THREAD.getCurrentThreadCpuTime() - start);
    }
    return best;
  }

  private static String describe(ResponseFacts facts) {
    HeaderLines headers = facts.headers();
    return headers.size() == 0
        ? "a body"
        : headers.size() + " lines of " + headers.value(0).length() + " characters";
  }
}
