package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.Paceline;
import dev.paceline.limit.Limit;
import dev.paceline.redis.testing.RedisServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two workers that were configured differently, as they are for the time of a deployment. */
final class LimitsDifferIT {

  private static final int OWNERS = 20;

  private static Paceline worker(String namespace, int perSecond) {
    return Paceline.builder()
        .upstream("api", u -> u.limit(Limit.of(perSecond).per(Duration.ofSeconds(1)).burst(50)))
        .sharedThrough(
            RedisBuckets.builder().uri(RedisServer.shared().uri()).namespace(namespace).build())
        .build();
  }

  @Test
  void limits_that_differ_are_logged_once_and_neither_for_each_call_nor_for_each_owner()
      throws IOException {
    PrintStream before = System.err;
    ByteArrayOutputStream logged = new ByteArrayOutputStream();
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
    String namespace = "differ" + System.nanoTime();
    try (Paceline one = worker(namespace, 500);
        Paceline other = worker(namespace, 1_000)) {
      for (int i = 0; i < 5 * OWNERS; i++) {
        one.limiter("api", "owner" + i % OWNERS).acquire();
        other.limiter("api", "owner" + i % OWNERS).acquire();
      }
    } finally {
      System.setErr(before);
    }

    List<String> lines =
        logged
            .toString(StandardCharsets.UTF_8)
            .lines()
            .filter(line -> line.contains("other limits"))
            .toList();
    // One of each worker, which would be a process of its own.
    assertThat(lines).hasSizeBetween(1, 2).allMatch(line -> line.contains("WARN"));
  }
}
