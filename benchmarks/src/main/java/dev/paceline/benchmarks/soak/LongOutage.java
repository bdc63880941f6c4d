package dev.paceline.benchmarks.soak;

import dev.paceline.AcquireOptions;
import dev.paceline.Limiter;
import dev.paceline.Paceline;
import dev.paceline.benchmarks.Row;
import dev.paceline.limit.Limit;
import dev.paceline.redis.RedisBuckets;
import dev.paceline.redis.RedisInspector;
import dev.paceline.redis.testing.RedisServer;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One worker asks for 5,000 permits a second, half of what its limit allows, while its Redis is
 * stopped: what that costs in memory, and what Redis believes to be taken when it goes on.
 *
 * <p>{@code java -cp benchmarks.jar dev.paceline.benchmarks.soak.LongOutage [seconds]}; exits with
 * 1 if anything did not hold.
 */
public final class LongOutage {

  private static final int ASKED_PER_SECOND = 5_000;
  private static final int PER_SECOND = 10_000;
  private static final double MOST_MIB = 20;

  private LongOutage() {}

  /** Runs it for 60 s, or as long as is said. */
  public static void main(String[] args) throws Exception {
    Figures figures = run(Duration.ofSeconds(args.length > 0 ? Long.parseLong(args[0]) : 60));
    System.out.println(figures);
    Row.print(List.of(figures.row()));
    System.exit(figures.hold() ? 0 : 1);
  }

  /**
   * What came of it.
   *
   * @param calls that were begun
   * @param ended endings that callers saw, a second one of a call included
   * @param failed those that were exceptions
   * @param grewMiB the live heap at the end of the outage beyond that before it
   * @param ghosts permits that Redis holds for taken after it, and that nobody asked for
   * @param firstWait of the first caller after it
   */
  record Figures(
      long calls, long ended, long failed, double grewMiB, long ghosts, Duration firstWait) {

    boolean hold() {
      return ended == calls && failed == 0 && grewMiB < MOST_MIB && ghosts == 0;
    }

    Row row() {
      return new Row(
          "a minute without Redis at 5,000 calls a second",
          "every call ends once; the heap grows by less than 20 MiB; no permit is held for taken that"
              + " nobody took",
          hold(),
          String.format(
              Locale.ROOT,
              "%,d calls, %,d endings, %d failed; %.1f MiB; %d permits",
              calls,
              ended,
              failed,
              grewMiB,
              ghosts),
          "");
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s %d calls, %d endings, %d failed; heap grew by %.1f MiB; %d ghost permits; first wait"
              + " afterwards %.1f ms",
          hold() ? "PASS" : "FAIL",
          calls,
          ended,
          failed,
          grewMiB,
          ghosts,
          firstWait.toNanos() / 1e6);
    }
  }

  /** Lets an outage happen to a worker of its own. */
  static Figures run(Duration lasting) throws Exception {
    try (RedisServer server = RedisServer.start();
        Paceline paceline =
            Paceline.builder()
                .upstream("api", u -> u.limit(Limit.of(PER_SECOND).per(Duration.ofSeconds(1))))
                .sharedThrough(RedisBuckets.connect(server.uri()))
                .build()) {
      Calls calls = new Calls(paceline.limiter("api"));
      calls.keepUp(Duration.ofSeconds(3));
      double before = liveMiB();
      server.pause();
      calls.keepUp(lasting);
      double grew = liveMiB() - before;
      // Nobody asks while it comes back, so that whatever is then ahead of now is a ghost's.
      calls.awaitAll();
      server.resume();
      RedisServer.await(
          "Redis decides again", Duration.ofSeconds(20), () -> !paceline.health().degraded());
      long ghosts = ahead(server);
      Duration wait = paceline.limiter("api").acquire().waited();
      return new Figures(
          calls.begun.get(), calls.ended.get(), calls.failed.get(), grew, ghosts, wait);
    }
  }

  /** How many permits Redis has reserved from its now on. */
  private static long ahead(RedisServer server) {
    try (RedisInspector inspector = RedisInspector.connect(server.uri())) {
      return inspector.scopes().stream()
          .mapToLong(scope -> scope.reservedAhead().toNanos() * PER_SECOND / 1_000_000_000L)
          .sum();
    }
  }

  private static double liveMiB() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1_048_576.0;
  }

  /** Callers that hold no thread, at a rate that does not ask how long the last one took. */
  private static final class Calls {
    private static final long STEP_NANOS = 2_000_000;

    private final Limiter limiter;
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    Calls(Limiter limiter) {
      this.limiter = limiter;
    }

    void keepUp(Duration lasting) throws InterruptedException {
      long start = System.nanoTime();
      long due = 0;
      for (long passed = 0; passed < lasting.toNanos(); passed = System.nanoTime() - start) {
        for (; due < passed * ASKED_PER_SECOND / 1_000_000_000L; due++) {
          begin();
        }
        TimeUnit.NANOSECONDS.sleep(STEP_NANOS);
      }
    }

    private void begin() {
      begun.incrementAndGet();
      CompletableFuture<?> permit = limiter.acquireAsync(AcquireOptions.standard());
      var unused =
          permit.whenComplete(
              (granted, failure) -> {
                if (failure != null) {
                  failed.incrementAndGet();
                }
                ended.incrementAndGet();
              });
    }

    void awaitAll() {
      RedisServer.await(
          "every call has ended", Duration.ofSeconds(30), () -> ended.get() >= begun.get());
    }
  }
}
