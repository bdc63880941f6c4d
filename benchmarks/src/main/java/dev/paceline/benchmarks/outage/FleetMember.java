package dev.paceline.benchmarks.outage;

import dev.paceline.AcquireOptions;
import dev.paceline.Limiter;
import dev.paceline.Paceline;
import dev.paceline.benchmarks.StallMeter;
import dev.paceline.limit.Limit;
import dev.paceline.redis.RedisBuckets;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One worker: callers that take permits of the shared limit one after another and go to the
 * provider, and one that asks now and then for a permit of another limit that is always free, and
 * so meets nothing but the store.
 */
final class FleetMember implements AutoCloseable {

  private final Paceline paceline;
  private final StrictProvider provider;
  private final StallMeter stalls;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong errors = new AtomicLong();
  private final AtomicLong decisions = new AtomicLong();
  private final AtomicLong slowest = new AtomicLong();
  private final AtomicLong slow = new AtomicLong();
  private volatile String lastError = "";
  private volatile boolean stopping;

  FleetMember(String redis, Limit limit, int workers, StrictProvider provider, StallMeter stalls) {
    this.provider = provider;
    this.stalls = stalls;
    paceline =
        Paceline.builder()
            .upstream("api", u -> u.limit(limit))
            .upstream("free", u -> u.limit(Limit.of(100_000).per(Duration.ofSeconds(1))))
            .sharedThrough(RedisBuckets.builder().uri(redis).expectedWorkers(workers).build())
            .maxWait(Duration.ofSeconds(30))
            .build();
  }

  void start(int callers) {
    for (int i = 0; i < callers; i++) {
      threads.add(new Thread(() -> call(paceline.limiter("api")), "caller-" + i));
    }
    threads.add(new Thread(() -> ask(paceline.limiter("free")), "decisions"));
    threads.forEach(Thread::start);
  }

  private void call(Limiter limiter) {
    while (!stopping) {
      begun.incrementAndGet();
      try {
        limiter.acquire(AcquireOptions.standard());
        provider.arrive();
        sent.incrementAndGet();
      } catch (IOException e) {
        lastError = e.toString();
        errors.incrementAndGet();
      }
    }
  }

  private void ask(Limiter limiter) {
    while (!stopping) {
      long stalled = stalls.sumNanos();
      long start = System.nanoTime();
      limiter.tryAcquire();
      long took = System.nanoTime() - start - (stalls.sumNanos() - stalled);
      decisions.incrementAndGet();
      slowest.accumulateAndGet(took, Math::max);
      if (took > 100_000_000) {
        slow.incrementAndGet();
      }
      try {
        TimeUnit.MILLISECONDS.sleep(20);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Ends all callers; how many did not end. */
  long stop() throws InterruptedException {
    stopping = true;
    for (Thread thread : threads) {
      thread.join(20_000);
    }
    return threads.stream().filter(Thread::isAlive).count() + begun.get() - sent.get() - errors();
  }

  long errors() {
    return errors.get();
  }

  String lastError() {
    return lastError;
  }

  long decisions() {
    return decisions.get();
  }

  long slowDecisions() {
    return slow.get();
  }

  long slowestNanos() {
    return slowest.get();
  }

  @Override
  public void close() {
    paceline.close();
  }
}
