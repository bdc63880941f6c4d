package dev.paceline;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The default executor of callbacks: a few daemon threads that leave when there is nothing to do.
 */
final class Completions {

  private static final AtomicInteger THREADS = new AtomicInteger();

  private Completions() {}

  private static final class Shared {
    static final Executor POOL = pool();
  }

  /** One pool for all; its threads start when they are needed. */
  static Executor shared() {
    return Shared.POOL;
  }

  private static Executor pool() {
    int threads = Math.max(2, Math.min(8, Runtime.getRuntime().availableProcessors()));
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "paceline-callback-" + THREADS.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }
}
