package dev.paceline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paceline.time.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private StrictProvider provider;

  @BeforeEach
  void start() throws IOException {
    provider = StrictProvider.start(TimeSource.system(), 200, 5);
  }

  @AfterEach
  void stop() {
    provider.close();
  }

  private CommandRun load(String... options) {
    List<String> arguments = new ArrayList<>(List.of("load", "--url", provider.url("/v1/charges")));
    arguments.addAll(List.of(options));
    return CommandRun.of(arguments.toArray(String[]::new));
  }

  private static JsonNode report(CommandRun run) throws IOException {
    assertThat(run.out()).hasSize(1);
    return JSON.readTree(run.out().get(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--limit=200/1s", "--limit=200/1s --async"})
  void paced_calls_use_the_limit_and_are_not_refused(String options) throws IOException {
    Arrivals arrivals = provider.restart();

    JsonNode report = report(load((options + " --duration 3s --callers 8").split(" ", -1)));

    assertThat(report.get("calls").asInt()).isBetween(450, 640);
    assertThat(arrivals.acceptedCount()).isEqualTo(report.at("/status/200").asInt());
    assertThat(report.get("attempts").asInt())
        .isEqualTo(arrivals.acceptedCount() + arrivals.refusedCount());
    // A machine that stalls calls for longer than the provider's burst has a few of them refused.
    assertThat(arrivals.refusedCount()).isLessThan(arrivals.acceptedCount() / 50);
    assertThat(report.at("/wait_ms/p50").asDouble()).isBetween(20.0, 80.0);
    assertThat(report.get("elapsed_ms").asDouble()).isBetween(2_990.0, 4_500.0);
  }

  @Test
  void every_field_of_the_report_is_there() throws IOException {
    CommandRun run = load("--calls", "3");

    assertThat(run.exit()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out().get(0).replaceAll("\"(p50|p99|max|elapsed_ms)\":[0-9.]+", "\"$1\":0"))
        .isEqualTo(
            """
            {"calls":3,"ok":3,"status":{"200":3},"attempts":3,"retries":0,\
            "refused":{"deadline":0,"queue_full":0,"quota_exhausted":0,"store_closed":0,\
            "circuit_open":0},"not_retried":{"budget":0,"attempts":0,"not_idempotent":0,\
            "deadline":0},"errors":{},"wait_ms":{"p50":0,"p99":0,"max":0},"elapsed_ms":0,\
            "store":{"commands":0,"failures":0,"fallback_permits":0,"state_lost":0}}""");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--max-wait 300ms", "--call-timeout 300ms"})
  void a_wait_that_does_not_fit_fails_at_once(String option) throws IOException {
    Arrivals arrivals = provider.restart();

    CommandRun run = load(("--limit 1/1s --calls 4 --callers 4 " + option).split(" ", -1));

    JsonNode report = report(run);
    assertThat(run.exit()).isEqualTo(1);
    assertThat(report.get("calls").asInt()).isEqualTo(4);
    assertThat(report.get("ok").asInt()).isEqualTo(1);
    assertThat(report.at("/refused/deadline").asInt()).isEqualTo(3);
    assertThat(report.at("/errors/WaitTooLongException").asInt()).isEqualTo(3);
    assertThat(report.get("elapsed_ms").asDouble()).isLessThan(200);
    assertThat(arrivals.acceptedCount()).isEqualTo(1);
  }

  @Test
  void a_full_queue_refuses() throws IOException {
    JsonNode report =
        report(load("--limit", "10/1s", "--calls", "6", "--callers", "6", "--max-queued", "2"));

    assertThat(report.at("/refused/queue_full").asInt()).isEqualTo(3);
    assertThat(report.get("ok").asInt()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void an_open_loop_starts_calls_at_its_rate(boolean async) throws IOException {
    JsonNode report =
        report(
            async
                ? load("--rate", "50", "--duration", "2s", "--async")
                : load("--rate", "50", "--duration", "2s"));

    assertThat(report.get("calls").asInt()).isBetween(95, 101);
    assertThat(report.get("elapsed_ms").asDouble()).isBetween(1_950.0, 3_000.0);
  }

  @Test
  void calls_that_still_wait_when_the_time_is_over_do_not_count() throws IOException {
    JsonNode report = report(load("--limit", "1/1h", "--duration", "1s", "--max-wait", "20h"));

    assertThat(report.get("calls").asInt()).isEqualTo(1);
    assertThat(report.get("elapsed_ms").asDouble()).isBetween(1_990.0, 5_000.0);
  }

  @Test
  void the_request_is_as_the_options_say() throws Exception {
    try (MockWebServer server = new MockWebServer()) {
      server.enqueue(new MockResponse.Builder().code(204).build());
      server.start();

      CommandRun run =
          CommandRun.of(
              "load",
              "--calls=1",
              "--url=" + server.url("/a?b=c"),
              "--method=put",
              "--body={\"x\":1}",
              "--header=Content-Type: application/json",
              "--header",
              "A: b: c");

      assertThat(run.exit()).isZero();
      RecordedRequest request = server.takeRequest();
      assertThat(request.getMethod()).isEqualTo("PUT");
      assertThat(request.getTarget()).isEqualTo("/a?b=c");
      assertThat(request.getBody().utf8()).isEqualTo("{\"x\":1}");
      assertThat(request.getHeaders().get("Content-Type")).isEqualTo("application/json");
      assertThat(request.getHeaders().get("A")).isEqualTo("b: c");
    }
  }

  @Test
  void errors_are_counted_by_name() throws IOException {
    provider.close();

    CommandRun run = load("--calls", "5", "--max-attempts", "1");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(report(run).at("/errors/ConnectException").asInt()).isEqualTo(5);
    assertThat(report(run).get("attempts").asInt()).isZero();
  }

  @Test
  void events_are_written_one_a_line(@TempDir Path directory) throws IOException {
    Path events = directory.resolve("events.jsonl");

    load("--limit", "20/1s", "--calls", "3", "--events", events.toString());

    List<String> names = new ArrayList<>();
    for (String line : Files.readAllLines(events)) {
      JsonNode event = JSON.readTree(line);
      assertThat(event.get("at_ms").isNumber()).isTrue();
      names.add(event.get("event").asText());
    }
    assertThat(names).contains("permit", "wait");
    assertThat(names.stream().filter("permit"::equals)).hasSize(3);
  }
}
