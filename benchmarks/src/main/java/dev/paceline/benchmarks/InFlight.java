package dev.paceline.benchmarks;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Keeps so many permits in flight for so long: each answer asks for the next. */
final class InFlight {

  private final Contender contender;
  private final int keys;
  private final long start;
  private final long end;
  private final CountDownLatch running;
  private final AtomicLong permits = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private InFlight(Contender contender, int count, int keys, Duration lasting) {
    this.contender = contender;
    this.keys = keys;
    this.running = new CountDownLatch(count);
    this.start = System.nanoTime();
    this.end = start + lasting.toNanos();
  }

  /**
   * Takes permits.
   *
   * @param count how many are in flight
   * @param keys each permit is of one of so many keys, drawn at random
   * @return permits a second
   * @throws IllegalStateException if one failed
   */
  static Rate run(Contender contender, int count, int keys, Duration lasting)
      throws InterruptedException {
    InFlight all = new InFlight(contender, count, keys, lasting);
    for (int i = 0; i < count; i++) {
      all.new Chain(i).next();
    }
    all.running.await();
    Throwable failed = all.failure.get();
    if (failed != null) {
      throw new IllegalStateException(contender.name() + ": a permit failed", failed);
    }
    return new Rate(all.permits.get(), System.nanoTime() - all.start);
  }

  /** One at a time, each waited for by this thread. */
  static Rate oneAtATime(Contender contender, Duration lasting) throws Exception {
    long start = System.nanoTime();
    long end = start + lasting.toNanos();
    long permits = 0;
    while (System.nanoTime() - end < 0) {
      contender.permitNow(0);
      permits++;
    }
    return new Rate(permits, System.nanoTime() - start);
  }

  /** Permits in a time. */
  record Rate(long permits, long nanos) {
    double perSecond() {
      return permits * 1e9 / nanos;
    }

    double microsEach() {
      return nanos / 1e3 / permits;
    }
  }

  private final class Chain {

    private final SplittableRandom random;
    private long taken;

    Chain(int seed) {
      random = new SplittableRandom(seed);
    }

    void next() {
      while (System.nanoTime() - end < 0) {
        CompletableFuture<?> permit = contender.permit(keys == 1 ? 0 : random.nextInt(keys));
        if (!permit.isDone()) {
          CompletionStage<?> stage = permit;
          stage.whenComplete((done, failed) -> answered(failed));
          return;
        }
        try {
          permit.join();
          taken++;
        } catch (CompletionException e) {
          failure.compareAndSet(null, e);
          break;
        }
      }
      permits.addAndGet(taken);
      running.countDown();
    }

    private void answered(@Nullable Throwable failed) {
      if (failed != null) {
        failure.compareAndSet(null, failed);
        permits.addAndGet(taken);
        running.countDown();
        return;
      }
      taken++;
      next();
    }
  }
}
