package dev.paceline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paceline.redis.testing.RedisServer;
import dev.paceline.time.TimeSource;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SharedThroughRedisIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static JsonNode report(CommandRun run) throws IOException {
    assertThat(run.out()).as(run.toString()).hasSize(1);
    return JSON.readTree(run.out().get(0));
  }

  @Test
  void loads_with_one_key_share_one_limit() throws IOException {
    try (StrictProvider provider = StrictProvider.start(TimeSource.system(), 100, 5)) {
      Arrivals arrivals = provider.restart();
      List<CompletableFuture<CommandRun>> runs =
          Stream.generate(
                  () ->
                      CompletableFuture.supplyAsync(
                          () ->
                              CommandRun.of(
                                  "load",
                                  "--url=" + provider.url("/"),
                                  "--redis=" + RedisServer.shared().uri(),
                                  "--limit=100/1s",
                                  "--key=one key",
                                  "--duration=4s"),
                          task -> new Thread(task).start()))
              .limit(2)
              .toList();

      for (CompletableFuture<CommandRun> run : runs) {
        JsonNode report = report(run.join());
        assertThat(report.get("errors")).isEmpty();
        assertThat(report.at("/store/commands").asInt()).isPositive();
        assertThat(report.get("ok").asInt()).isGreaterThan(80);
      }
      // Alone, each would have sent 400.
      assertThat(arrivals.acceptedCount() + arrivals.refusedCount()).isLessThan(580);
      assertThat(arrivals.refusedCount()).isLessThan(10);
    }
  }

  @Test
  void the_demo_runs_through_redis() {
    CommandRun run = CommandRun.of("demo", "--duration=4s", "--redis", RedisServer.shared().uri());

    assertThat(run.exit()).as(run.toString()).isZero();
    assertThat(run.out()).anyMatch(line -> line.startsWith("refusals (429)"));
    assertThat(RedisServer.shared().keys("pl1:{demo:*")).isNotEmpty();
  }

  @Test
  void a_redis_that_cannot_be_reached_is_a_failure_in_one_line() {
    CommandRun run =
        CommandRun.of("load", "--url=http://127.0.0.1:1/", "--redis=redis://127.0.0.1:1");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).singleElement().asString().contains("127.0.0.1:1", "cannot be reached");
  }
}
