package dev.paceline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExplainCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static List<JsonNode> cases() throws IOException {
    try (InputStream in = ExplainCommandTest.class.getResourceAsStream("/feedback/cases.jsonl")) {
      List<JsonNode> cases = new ArrayList<>();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        cases.add(JSON.readTree(line));
      }
      return cases;
    }
  }

  private static boolean needsProfile(JsonNode each) {
    return each.path("requires").toString().contains("profile");
  }

  @Test
  void responses_that_need_no_profile_are_read_as_expected() throws IOException {
    List<JsonNode> cases = cases().stream().filter(each -> !needsProfile(each)).toList();

    CommandRun run = explain(cases);

    assertThat(run.err()).isEmpty();
    assertThat(run.exit()).isZero();
    compare(run.out(), cases);
  }

  @Test
  void responses_that_need_a_profile_are_read_as_expected_with_it() throws IOException {
    Map<String, List<JsonNode>> byVendor = new LinkedHashMap<>();
    for (JsonNode each : cases()) {
      if (needsProfile(each)) {
        byVendor.computeIfAbsent(each.get("vendor").asText(), v -> new ArrayList<>()).add(each);
      }
    }
    assertThat(byVendor).hasSizeGreaterThan(5);
    for (Map.Entry<String, List<JsonNode>> vendor : byVendor.entrySet()) {
      CommandRun run = explain(vendor.getValue(), "--profile", vendor.getKey());

      assertThat(run.err()).isEmpty();
      compare(run.out(), vendor.getValue());
    }
  }

  private static CommandRun explain(List<JsonNode> cases, String... options) {
    StringBuilder input = new StringBuilder();
    cases.forEach(each -> input.append(each).append('\n'));
    List<String> arguments = new ArrayList<>(List.of("explain"));
    arguments.addAll(List.of(options));
    return CommandRun.withInput(input.toString(), arguments.toArray(String[]::new));
  }

  private static void compare(List<String> answers, List<JsonNode> cases) throws IOException {
    assertThat(answers).hasSameSizeAs(cases);
    for (int i = 0; i < cases.size(); i++) {
      JsonNode answer = JSON.readTree(answers.get(i));
      JsonNode expected = cases.get(i).get("expect");
      String id = cases.get(i).get("id").asText();
      assertThat(answer.get("id").asText()).isEqualTo(id);
      assertThat(answer.get("throttled")).as(id).isEqualTo(expected.get("throttled"));
      assertThat(answer.get("retryAfterMs").toString())
          .as(id)
          .isEqualTo(expected.get("retryAfterMs").toString());
      assertThat(windows(answer)).as(id).containsExactlyInAnyOrderElementsOf(windows(expected));
    }
  }

  private static List<JsonNode> windows(JsonNode reading) {
    List<JsonNode> windows = new ArrayList<>();
    reading.get("windows").forEach(windows::add);
    return windows;
  }

  @Test
  void a_pasted_response_is_answered_in_plain_words() {
    CommandRun run =
        CommandRun.withInput(
            """
            HTTP/1.1 429 Too Many Requests
            Content-Type: text/plain
            Retry-After: 2

            HTTP/2 200
            content-type: text/plain
            """,
            "explain");

    assertThat(run.exit()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).anyMatch(line -> line.contains("429") && line.contains("refusal"));
    assertThat(run.out()).anyMatch(line -> line.contains("wait 2 s"));
    assertThat(run.out()).anyMatch(line -> line.contains("200") && line.contains("no refusal"));
  }

  @Test
  void a_line_that_is_neither_is_an_error_and_the_next_is_answered() {
    CommandRun run =
        CommandRun.withInput(
            """
            nonsense
            HTTP/1.1 429 Too Many Requests
            Retry-After: 1
            HTTP/1.1 what
            Retry-After: 3

            {"id":1}
            {"id":2,"status":700,"headers":[]}
            {"id":3,"status":200,"headers":[["a"]]}
            {"id":4,"status":200,"headers":[],"now":"yesterday"}
            {"id":5,"status":429,"headers":[["retry-after","7"]],"now":"2026-01-15T12:00:00Z"}
            """,
            "explain");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out()).anyMatch(line -> line.contains("wait 1 s"));
    assertThat(run.out())
        .last()
        .isEqualTo("{\"id\":5,\"retryAfterMs\":7000,\"windows\":[],\"throttled\":true}");
    assertThat(run.err())
        .extracting(line -> line.substring(0, line.indexOf(':', 18)))
        .containsExactly(
            "paceline explain: line 1",
            "paceline explain: line 4",
            "paceline explain: line 7",
            "paceline explain: line 8",
            "paceline explain: line 9",
            "paceline explain: line 10");
  }
}
