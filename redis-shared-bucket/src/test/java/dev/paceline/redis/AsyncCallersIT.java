package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.AcquireOptions;
import dev.paceline.Limiter;
import dev.paceline.Paceline;
import dev.paceline.Permit;
import dev.paceline.limit.Limit;
import dev.paceline.redis.testing.RedisServer;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Callers without a thread, whose answers come from Redis. */
class AsyncCallersIT {

  private static final int CALLERS = 1_000;
  private static final int TIMES = 5;

  private final Set<String> threads = new ConcurrentSkipListSet<>();
  private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
  private final CountDownLatch left = new CountDownLatch(CALLERS);

  @Test // TH-05
  void what_they_do_next_runs_on_no_thread_of_the_client() throws Exception {
    Limit limit = Limit.of(2_000).per(Duration.ofSeconds(1)).burst(100);
    try (Paceline paceline =
        Paceline.builder()
            .upstream("api", u -> u.limit(limit).maxQueued(CALLERS))
            .maxWait(Duration.ofMinutes(1))
            .sharedThrough(
                RedisBuckets.builder()
                    .uri(RedisServer.shared().uri())
                    .namespace("async-callers")
                    .build())
            .build()) {
      for (int i = 0; i < CALLERS; i++) {
        acquire(paceline.limiter("api"), TIMES);
      }
      assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(errors).isEmpty();
      assertThat(paceline.stats().permits()).isEqualTo((long) CALLERS * TIMES);
    }
    assertThat(new TreeSet<>(threads))
        .isNotEmpty()
        .noneMatch(name -> name.startsWith("lettuce"))
        .noneMatch(name -> name.startsWith("paceline-timer"));
  }

  private void acquire(Limiter limiter, int times) {
    var unused =
        limiter
            .acquireAsync(AcquireOptions.standard())
            .whenComplete((permit, failure) -> went(limiter, times, permit, failure));
  }

  private void went(Limiter limiter, int times, Permit permit, Throwable failure) {
    // Where it is there already, the caller goes on on its own thread.
    threads.add(Thread.currentThread().getName());
    if (permit == null) {
      errors.add(failure);
    }
    if (permit == null || times == 1) {
      left.countDown();
    } else {
      acquire(limiter, times - 1);
    }
  }
}
