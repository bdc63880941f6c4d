package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paceline.Health;
import dev.paceline.Limiter;
import dev.paceline.Paceline;
import dev.paceline.StoreClosedException;
import dev.paceline.event.Event;
import dev.paceline.limit.Limit;
import dev.paceline.redis.testing.FaultyProxy;
import dev.paceline.redis.testing.RedisServer;
import dev.paceline.store.OutagePolicy;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What callers, listeners and operators see of a Redis that goes and comes back. */
class OutagePolicyIT {

  private static final Duration SOON = Duration.ofSeconds(20);

  private final List<Event> changes = new CopyOnWriteArrayList<>();
  private RedisServer server;
  private FaultyProxy proxy;
  private Paceline paceline;

  @BeforeEach
  void start() {
    server = RedisServer.start();
    proxy = FaultyProxy.before(server);
    Limit limit = Limit.of(100).per(Duration.ofSeconds(1));
    paceline =
        Paceline.builder()
            .upstream("local", u -> u.limit(limit))
            .upstream("closed", u -> u.limit(limit).onStoreFailure(OutagePolicy.CLOSED))
            .upstream("open", u -> u.limit(limit).onStoreFailure(OutagePolicy.OPEN))
            .sharedThrough(RedisBuckets.connect(proxy.uri()))
            .listener(
                event -> {
                  if (event instanceof Event.StoreLost || event instanceof Event.StoreBack) {
                    changes.add(event);
                  }
                })
            .build();
  }

  @AfterEach
  void stop() {
    paceline.close();
    proxy.close();
    server.close();
  }

  private void lose() {
    proxy.refuse();
    RedisServer.await("the loss is known", SOON, () -> paceline.health().degraded());
  }

  private void comeBack() {
    proxy.pass();
    RedisServer.await("Redis decides again", SOON, () -> !paceline.health().degraded());
  }

  /** How long so many calls in a row take. */
  private Duration acquire(String upstream, int calls) throws IOException {
    Limiter limiter = paceline.limiter(upstream);
    long start = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      limiter.acquire().sent();
    }
    return Duration.ofNanos(System.nanoTime() - start);
  }

  @Test
  void closed_refuses_with_a_type_and_what_to_do_until_redis_is_back() throws IOException {
    acquire("closed", 1);
    lose();
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> acquire("closed", 1))
          .isInstanceOf(StoreClosedException.class)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("closed/");
    }
    comeBack();
    acquire("closed", 1);
  }

  @Test
  void open_does_not_pace_and_local_does() throws IOException {
    lose();
    // At the limit this would take 100 s.
    assertThat(acquire("open", 10_000)).isLessThan(Duration.ofSeconds(20));
    assertThat(paceline.stats().store().orElseThrow().fallbackPermits()).isZero();
    // The first two may start at once: 28 intervals of 10 ms are the least.
    assertThat(acquire("local", 30)).isGreaterThanOrEqualTo(Duration.ofMillis(280));
    assertThat(paceline.stats().store().orElseThrow().fallbackPermits())
        .isGreaterThanOrEqualTo(30L);
  }

  @Test
  void each_change_is_told_once_and_health_says_since_when_and_why() throws IOException {
    Instant start = Instant.now();
    assertThat(paceline.health().degraded()).isFalse();
    for (int outages = 1; outages <= 2; outages++) {
      lose();
      acquire("local", 20);
      Health health = paceline.health();
      assertThat(health.degraded()).isTrue();
      assertThat(health.why()).isNotBlank();
      assertThat(health.since().orElseThrow())
          .isBetween(start.minusSeconds(1), Instant.now().plusSeconds(1));
      comeBack();
      assertThat(paceline.health().since()).isEmpty();
      assertThat(paceline.health().why()).isEmpty();
      assertThat(changes).hasSize(2 * outages);
      assertThat(changes.get(2 * outages - 2)).isInstanceOf(Event.StoreLost.class);
      assertThat(changes.get(2 * outages - 1)).isInstanceOf(Event.StoreBack.class);
    }
    assertThat(paceline.stats().store().orElseThrow().outages()).isEqualTo(2);
  }
}
