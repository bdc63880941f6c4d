package dev.paceline.examples;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Daemon threads for calls that block, as many as are needed at once. */
final class Callers implements AutoCloseable {
  private final ExecutorService threads =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          10,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          task -> {
            Thread thread = new Thread(task, "caller");
            thread.setDaemon(true);
            return thread;
          });

  void run(Runnable call) {
    threads.execute(call);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
