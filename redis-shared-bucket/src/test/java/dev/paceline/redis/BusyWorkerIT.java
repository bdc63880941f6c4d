package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.AcquireOptions;
import dev.paceline.Limiter;
import dev.paceline.Paceline;
import dev.paceline.Permit;
import dev.paceline.Upstream;
import dev.paceline.feedback.HeaderLines;
import dev.paceline.feedback.ResponseFacts;
import dev.paceline.limit.Limit;
import dev.paceline.redis.testing.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A worker that makes so many calls that it reserves permits before they are asked for. */
class BusyWorkerIT {

  private static final int CALLS = 20_000;

  private Paceline paceline = start(true);

  private static Paceline start(boolean ahead) {
    Limit limit = Limit.of(1_000_000).per(Duration.ofSeconds(1)).tokenBucket();
    return Paceline.builder()
        .upstream("api", u -> u.limit(limit))
        .permitsAhead(ahead)
        .sharedThrough(
            RedisBuckets.builder()
                .uri(RedisServer.shared().uri())
                .namespace("busy-" + System.nanoTime())
                .commandTimeout(Duration.ofSeconds(5))
                .build())
        .build();
  }

  @AfterEach
  void stop() {
    paceline.close();
  }

  @Test
  void a_permit_costs_it_a_part_of_a_command() throws Exception {
    takeOneByOne();
    assertThat(commands()).isLessThan(CALLS / 2);
  }

  @Test
  void without_permits_ahead_each_costs_a_command() throws Exception {
    paceline.close();
    paceline = start(false);
    takeOneByOne();
    assertThat(commands()).isGreaterThanOrEqualTo(CALLS);
  }

  @Test
  void a_cooldown_voids_what_was_reserved_ahead() throws Exception {
    takeOneByOne();
    Upstream upstream = paceline.upstreams().get(0);
    Permit permit = limiter().acquire();
    HeaderLines headers = HeaderLines.of("retry-after", "30");
    ResponseFacts told = new ResponseFacts(429, headers, Instant.now(), Optional.empty());
    upstream.learn(permit.scope(), permit, upstream.reader().read(told));
    List<CompletableFuture<?>> later = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      later.add(limiter().acquireAsync(AcquireOptions.standard().maxWait(Duration.ofMinutes(1))));
    }
    assertThat(later).noneMatch(CompletableFuture::isDone);
  }

  private void takeOneByOne() throws Exception {
    Limiter limiter = limiter();
    for (int i = 0; i < CALLS; i++) {
      limiter.acquire();
    }
  }

  private Limiter limiter() {
    return paceline.limiter("api");
  }

  private long commands() {
    return paceline.stats().store().orElseThrow().commands();
  }
}
