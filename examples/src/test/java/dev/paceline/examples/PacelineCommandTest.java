package dev.paceline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PacelineCommandTest {

  @ParameterizedTest
  @ValueSource(strings = {"demo", "load", "explain", "simulate", "inspect"})
  void help_goes_to_standard_output(String command) {
    CommandRun run = CommandRun.of(command, "--help");

    assertThat(run.exit()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).first().asString().startsWith("Usage: paceline " + command);
  }

  @Test
  void help_names_every_command() {
    CommandRun run = CommandRun.of("--help");

    assertThat(run.exit()).isZero();
    assertThat(String.join("\n", run.out()))
        .contains("demo", "load", "explain", "simulate", "inspect");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          | no command
          nonsense | nonsense
          --nonsense | --nonsense
          demo --duration 0s | --duration
          demo --duration 2h | --duration
          demo --report /no/such/directory/report.html | --report
          explain --profile nobody | nobody
          explain /no/such/file | /no/such/file
          load | --url
          load --url ftp://a | ftp://a
          load --url localhost:8080 | localhost:8080
          load --url http://a --limit 0/1s | permits
          load --url http://a --limit 5/1s --limit 5/1s | 5/1s
          load --url http://a --callers 0 | --callers
          load --url http://a --calls 0 | --calls
          load --url http://a --calls many | many
          load --url http://a --duration 0s | --duration
          load --url http://a --rate 0 | --rate
          load --url http://a --rate NaN | --rate
          load --url http://a --rate -1 | --rate
          load --url http://a --max-attempts 0 | maxAttempts
          load --url http://a --retry-base 0s | base
          load --url http://a --retry-cap 1ms | cap
          load --url http://a --retry-budget -1 | ratio
          load --url http://a --retry-floor Infinity | floor
          load --url http://a --max-queued -1 | maxQueued
          load --url http://a --body x | --body
          load --url http://a --on-store-failure maybe | maybe
          load --url http://a --redis localhost | --redis
          demo --redis http://a | --redis
          load --url http://a --method 7 | --method
          load --url http://a --header x | header
          load --url http://a --profile nobody | nobody
          load --url http://a --key= | key
          load --url http://a --events /no/such/directory/events | --events
          inspect | --redis
          inspect --redis localhost | --redis
          inspect --redis redis://127.0.0.1:1 --clear-cooldown | --key
          simulate | --limit
          simulate --limit | --limit
          simulate --limit 10 | 10
          simulate --limit 0/1s | permits
          simulate --limit -1/1s | permits
          simulate --limit NaN/1s | NaN
          simulate --limit 1/0s | period
          simulate --limit 1e3/1s | 1e3
          simulate --limit 99999999999999999999/1s | permits
          simulate --limit 10/1s;burst=0 | burst
          simulate --limit 10/1s;algorithm=leaky | leaky
          simulate --limit 10/1s;algorithm=fixed-window;zone=UTC | zone
          simulate --limit 10/36h;algorithm=fixed-window;zone=UTC | zone
          simulate --limit 10/1d;zone=UTC | zone
          simulate --limit 10/1d;algorithm=fixed-window;zone=Nowhere | Nowhere
          simulate --limit 10/1s;algorithm=fixed-window;burst=2 | burst
          simulate --limit 10/1s;limit=2 | limit=2
          simulate --limit 10/1s --mode both | both
          simulate --limit 10/1s --max-wait 5 | 5
          simulate --limit 10/1s --max-wait -5s | -5s
          simulate --limit 10/1s --max-wait 999999999999999999h | too long
          simulate --limit 10/1s --mode pace --mode check | --mode
          simulate --limit 10/1s /no/such/file | /no/such/file
          simulate --limit 10/1s - more | more
          """)
  void wrong_arguments_are_one_line_that_says_which(String arguments, String which) {
    CommandRun run = CommandRun.of(arguments == null ? new String[0] : arguments.split(" ", -1));

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).singleElement().asString().startsWith("paceline").contains(which);
  }

  @Test
  void the_program_answers_before_its_input_ends() throws Exception {
    Process process = start("simulate", "--limit", "1/1s");
    try (BufferedWriter in = process.outputWriter(StandardCharsets.UTF_8)) {
      in.write("{\"at_ms\":0}\n");
      in.flush();
      assertThat(process.inputReader(StandardCharsets.UTF_8).readLine())
          .isEqualTo("{\"at_ms\":0,\"allowed\":true,\"start_ms\":0,\"remaining\":0}");
    }
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  private static Process start(String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(PacelineCommand.class.getName());
    command.addAll(List.of(args));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
