package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.Limiter;
import dev.paceline.Paceline;
import dev.paceline.event.Event;
import dev.paceline.limit.Limit;
import dev.paceline.redis.testing.Arrivals;
import dev.paceline.redis.testing.RedisServer;
import dev.paceline.store.GroupKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** Two workers at full use of a limit whose burst is spent, and the provider that watches them. */
final class LoadedFleet implements AutoCloseable {
  static final int PER_SECOND = 200;
  static final int BURST = 40;
  static final int WORKERS = 2;

  /** The most permits of one turn: what starts within 20 ms. */
  static final int TURN = 4;

  private static final int CALLERS = 8;

  final List<Paceline> workers = new ArrayList<>();
  private final Queue<Event> events = new ConcurrentLinkedQueue<>();
  private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
  private final List<Thread> callers = new ArrayList<>();
  private final Arrivals arrivals = new Arrivals(PER_SECOND);
  private volatile boolean going = true;

  LoadedFleet(UnaryOperator<RedisBuckets.Builder> redis) {
    Limit limit = Limit.of(PER_SECOND).per(Duration.ofSeconds(1)).burst(BURST);
    for (int i = 0; i < WORKERS; i++) {
      RedisBuckets.Builder builder = RedisBuckets.builder().expectedWorkers(WORKERS);
      workers.add(
          Paceline.builder()
              .upstream("api", upstream -> upstream.limit(limit))
              .listener(events::add)
              .sharedThrough(redis.apply(builder).build())
              .build());
    }
    for (Paceline worker : workers) {
      for (int i = 0; i < CALLERS; i++) {
        callers.add(new Thread(() -> send(worker.limiter("api")), "caller-" + i));
      }
    }
    callers.forEach(Thread::start);
    long full = BURST + PER_SECOND / 4;
    RedisServer.await("the burst is spent", Duration.ofSeconds(10), () -> arrivals.count() >= full);
  }

  static String key() {
    return new KeyNames("").of(new GroupKey("api", "*", "*"));
  }

  private void send(Limiter limiter) {
    while (going) {
      try {
        limiter.acquire();
        arrivals.arrive();
      } catch (Exception e) {
        errors.add(e);
      }
    }
  }

  /** Lets the fleet go on, at least at nine tenths of its pace. */
  void goOn(int millis) throws InterruptedException {
    long before = arrivals.count();
    TimeUnit.MILLISECONDS.sleep(millis);
    assertThat(arrivals.count() - before)
        .as("sent within %d ms", millis)
        .isGreaterThanOrEqualTo(PER_SECOND * 9L / 10 * millis / 1_000 - TURN);
  }

  long lost() {
    return events.stream().filter(Event.StateLost.class::isInstance).count();
  }

  long repaired() {
    return events.stream().filter(Event.StateRepaired.class::isInstance).count();
  }

  void lossIsToldAndCounted() {
    RedisServer.await("the loss is told", Duration.ofSeconds(5), () -> lost() > 0);
    assertThat(workers.stream().mapToLong(w -> w.stats().store().orElseThrow().statesLost()).sum())
        .isEqualTo(lost());
  }

  /** Over any stretch of time the limit and one turn a worker; no caller saw an error. */
  void keptTheLimit() {
    assertThat(errors).isEmpty();
    assertThat(arrivals.burst())
        .as("%.1f of it for what the machine held back", arrivals.stalled())
        .isLessThanOrEqualTo(BURST + WORKERS * TURN + arrivals.stalled());
  }

  @Override
  public void close() {
    going = false;
    try {
      for (Thread caller : callers) {
        caller.join(10_000);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    workers.forEach(Paceline::close);
    arrivals.close();
  }
}
