package dev.paceline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SimulateCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  static List<Named<JsonNode>> sequences() throws IOException {
    try (InputStream in = SimulateCommandTest.class.getResourceAsStream("/limits/vectors.jsonl")) {
      List<Named<JsonNode>> sequences = new ArrayList<>();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        JsonNode sequence = JSON.readTree(line);
        sequences.add(Named.of(sequence.get("name").asText(), sequence));
      }
      return sequences;
    }
  }

  @ParameterizedTest
  @MethodSource("sequences")
  void every_worked_sequence_is_answered_as_expected(JsonNode sequence) throws IOException {
    StringBuilder input = new StringBuilder();
    sequence.get("ops").forEach(op -> input.append(op).append('\n'));

    CommandRun run = CommandRun.withInput(input.toString(), arguments(sequence));

    assertThat(run.err()).isEmpty();
    assertThat(run.exit()).isZero();
    List<JsonNode> answers = new ArrayList<>();
    for (String line : run.out()) {
      answers.add(JSON.readTree(line));
    }
    assertThat(answers).containsExactlyElementsOf(sequence.get("expect"));
  }

  private static String[] arguments(JsonNode sequence) {
    List<String> arguments = new ArrayList<>(List.of("simulate"));
    for (JsonNode limit : sequence.get("limits")) {
      String spec =
          limit.get("permits").asText()
              + "/"
              + limit.get("period_ms").asText()
              + "ms;algorithm="
              + limit.get("algorithm").asText();
      String burst = limit.has("burst") ? ";burst=" + limit.get("burst").asText() : "";
      arguments.addAll(List.of("--limit", spec + burst));
    }
    arguments.addAll(List.of("--mode", sequence.get("mode").asText()));
    if (sequence.get("max_wait_ms").isNumber()) {
      arguments.addAll(List.of("--max-wait", sequence.get("max_wait_ms").asText() + "ms"));
    }
    return arguments.toArray(String[]::new);
  }

  @Test
  void a_line_that_is_wrong_is_an_error_and_the_next_is_answered() {
    CommandRun run =
        CommandRun.withInput(
            """
            {"at_ms":1000}
            no json
            {"at_ms":999}
            {"cost":1}
            {"at_ms":1000,"cost":-1}
            {"at_ms":1000.5}
            {"at_ms":1000,"key":{}}
            [1000]

            {"at_ms":1000} {"at_ms":1000}
            {"at_ms":2000,"key":"ключ"}
            """,
            "simulate",
            "--limit",
            "1/1s");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out())
        .containsExactly(
            "{\"at_ms\":1000,\"allowed\":true,\"start_ms\":1000,\"remaining\":0}",
            "{\"at_ms\":2000,\"key\":\"ключ\",\"allowed\":true,\"start_ms\":2000,\"remaining\":0}");
    assertThat(run.err())
        .extracting(line -> line.substring(0, line.indexOf(':', 20)))
        .containsExactly(
            "paceline simulate: line 2",
            "paceline simulate: line 3",
            "paceline simulate: line 4",
            "paceline simulate: line 5",
            "paceline simulate: line 6",
            "paceline simulate: line 7",
            "paceline simulate: line 8",
            "paceline simulate: line 10");
  }

  @Test
  void lines_too_long_to_keep_are_read_over() {
    CommandRun run =
        CommandRun.withInput(
            " ".repeat(Lines.LONGEST + 1) + "{\"at_ms\":1}\n{\"at_ms\":2}\n",
            "simulate",
            "--limit",
            "1/1s");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out()).hasSize(1);
    assertThat(run.err()).singleElement().asString().contains("line 1").contains("longer");
  }

  @Test
  void a_file_is_read_in_place_of_the_standard_input(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("traffic.jsonl");
    Files.writeString(file, "\uFEFF{\"at_ms\":5,\"cost\":3}\r\n");

    CommandRun run = CommandRun.of("simulate", "--limit", "2/1s;burst=2", file.toString());

    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .containsExactly("{\"at_ms\":5,\"allowed\":false,\"retry_after_ms\":null,\"remaining\":2}");
  }
}
