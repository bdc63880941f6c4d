package dev.paceline.examples;

import dev.paceline.time.TimeSource;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Workers whose callers call the provider one call after the other, as fast as they may. */
final class DemoRun {
  private static final Duration REPORT_EVERY = Duration.ofSeconds(1);

  private final TimeSource time;
  private final StrictProvider provider;
  private final List<? extends DemoClient> workers;
  private final Duration lasting;
  private final Waits waits = new Waits();
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final AtomicInteger errors = new AtomicInteger();

  private volatile long began;
  private volatile Arrivals arrivals = new Arrivals();

  DemoRun(
      TimeSource time,
      StrictProvider provider,
      List<? extends DemoClient> workers,
      Duration lasting) {
    this.time = time;
    this.provider = provider;
    this.workers = workers;
    this.lasting = lasting;
  }

  /**
   * Runs to the end.
   *
   * @param callers of each worker
   */
  DemoResult run(String name, int callers, PrintWriter progress) throws InterruptedException {
    CyclicBarrier connected = new CyclicBarrier(workers.size() * callers, this::begin);
    CountDownLatch ended = new CountDownLatch(workers.size() * callers);
    List<Thread> threads = new ArrayList<>();
    for (DemoClient worker : workers) {
      for (int i = 0; i < callers; i++) {
        Thread thread =
            new Thread(
                () -> {
                  call(worker, connected);
                  ended.countDown();
                },
                "caller");
        thread.setDaemon(true);
        threads.add(thread);
      }
    }
    threads.forEach(Thread::start);
    for (int second = 1; !ended.await(REPORT_EVERY.toMillis(), TimeUnit.MILLISECONDS); second++) {
      progress.printf(
          "  %-17s %3d s   accepted %,7d   refused %,7d%n",
          name, second, arrivals.acceptedCount(), arrivals.refusedCount());
    }
    return new DemoResult(
        name, lasting, began, arrivals, answered.get(), failed.get(), errors.get(), waits.sorted());
  }

  private void begin() {
    arrivals = provider.restart();
    began = time.nanoTime();
  }

  private void call(DemoClient worker, CyclicBarrier connected) {
    try {
      worker.connect();
      connected.await();
    } catch (IOException | BrokenBarrierException e) {
      connected.reset();
      errors.incrementAndGet();
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    long end = began + lasting.toNanos();
    while (end - time.nanoTime() > 0) {
      try {
        Optional<DemoClient.Ended> call = worker.call(end);
        if (call.isEmpty()) {
          return;
        }
        (call.get().ok() ? answered : failed).incrementAndGet();
        waits.add(call.get().waitNanos());
      } catch (IOException e) {
        errors.incrementAndGet();
      }
    }
  }
}
