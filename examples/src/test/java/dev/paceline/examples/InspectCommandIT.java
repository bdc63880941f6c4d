package dev.paceline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paceline.AcquireOptions;
import dev.paceline.Paceline;
import dev.paceline.Permit;
import dev.paceline.ScheduleState;
import dev.paceline.Scope;
import dev.paceline.Upstream;
import dev.paceline.feedback.HeaderLines;
import dev.paceline.feedback.ResponseFacts;
import dev.paceline.limit.Limit;
import dev.paceline.redis.RedisBuckets;
import dev.paceline.redis.testing.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InspectCommandIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final RedisServer server = RedisServer.start();
  private RedisBuckets buckets;
  private Paceline paceline;

  @BeforeEach
  void work() throws IOException {
    buckets = RedisBuckets.connect(server.uri());
    paceline =
        Paceline.builder()
            .upstream("api", u -> u.limit(Limit.of(100).per(Duration.ofHours(1)).burst(3)))
            .sharedThrough(buckets)
            .build();
    paceline.limiter("api", "alice").acquire(AcquireOptions.standard());
    paceline.limiter("api", "bob").acquire(AcquireOptions.standard());
    RedisServer.await(
        "the limits are told", Duration.ofSeconds(10), () -> !server.keys("pl1:rules:*").isEmpty());
  }

  @AfterEach
  void end() {
    paceline.close();
    buckets.close();
    server.close();
  }

  private CommandRun inspect(String... options) {
    String[] arguments = new String[options.length + 3];
    System.arraycopy(new String[] {"inspect", "--redis", server.uri()}, 0, arguments, 0, 3);
    System.arraycopy(options, 0, arguments, 3, options.length);
    return CommandRun.of(arguments);
  }

  @Test
  void all_scopes_are_listed_for_people() {
    CommandRun run = inspect();

    assertThat(run.exit()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(String.join("\n", run.out()))
        .contains("workers seen: ", "scopes: 2", "api/alice/*", "api/bob/*", "100/1h;burst=3");
  }

  @Test
  void one_scope_is_told_to_machines() throws IOException {
    CommandRun run = inspect("--json", "--key", "bob");

    assertThat(run.exit()).isZero();
    assertThat(run.out()).hasSize(1);
    JsonNode scope = JSON.readTree(run.out().get(0));
    assertThat(scope.get("scope").asText()).isEqualTo("api/bob/*");
    assertThat(scope.get("key").asText()).isEqualTo("bob");
    assertThat(scope.get("limits").toString()).isEqualTo("[\"100/1h;burst=3\"]");
    assertThat(scope.get("remaining").asInt()).isEqualTo(2);
    assertThat(scope.get("cooldown_ms").asDouble()).isZero();
    assertThat(scope.get("workers")).isNotEmpty();
  }

  @Test
  void a_key_that_nobody_has_is_a_failure() {
    CommandRun run = inspect("--key", "carol");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).singleElement().asString().contains("carol");
  }

  @Test
  void a_scope_without_a_cooldown_has_none_to_end() {
    CommandRun run = inspect("--key", "api/alice/*", "--clear-cooldown");

    assertThat(run.exit()).isZero();
    assertThat(run.err()).singleElement().asString().contains("api/alice/* has no cooldown");
  }

  @Test
  void what_responses_have_taught_is_told() throws IOException {
    try (Paceline learning =
        Paceline.builder()
            .upstream("free", u -> u.hosts("free.test"))
            .upstream("tight", u -> u.limit(Limit.of(100).per(Duration.ofSeconds(1)).burst(50)))
            .sharedThrough(buckets)
            .build()) {
      Upstream free = learning.upstreamOf("free.test").orElseThrow();
      answer(free, 20, 200);
      answer(free, 1, 429);
      answer(free, 1, 200);
      Upstream tight = learning.upstreams().get(1);
      for (int i = 0; i < 8; i++) {
        answer(tight, 1, 429);
        answer(tight, 1, 200);
      }
      RedisServer.await(
          "the guard is stored",
          Duration.ofSeconds(10),
          () -> told("tight/*/*").get("guard_ms").asDouble() > 0);
      RedisServer.await(
          "the limit is told",
          Duration.ofSeconds(10),
          () -> told("free/*/unlimited").get("limits").toString().contains("/1m"));
      ScheduleState known = tight.scopeOf(Optional.empty()).states().get(0);
      assertThat(known.now().guard()).isPositive();
    }
  }

  private JsonNode told(String scope) {
    CommandRun run = inspect("--json", "--key", scope);
    try {
      return JSON.readTree(
          run.out().isEmpty() ? "{\"guard_ms\":0,\"limits\":[]}" : run.out().get(0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void answer(Upstream upstream, int times, int status) throws IOException {
    for (int i = 0; i < times; i++) {
      Scope scope = upstream.scopeOf(Optional.empty());
      Permit permit = scope.acquire(AcquireOptions.standard()).await();
      permit.sent();
      ResponseFacts facts = ResponseFacts.of(status, HeaderLines.of(), Instant.now());
      upstream.learn(scope, permit, upstream.reader().read(facts));
    }
  }
}
