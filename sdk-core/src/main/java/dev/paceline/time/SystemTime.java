package dev.paceline.time;

import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The machine's time.
 *
 * <p>Timers ride a {@link ScheduledThreadPoolExecutor}: it wakes 0.1 to 0.7 ms late and never
 * early, where a hashed wheel with its default tick is 100 ms late.
 */
final class SystemTime implements TimeSource {

  private static final Logger log = LoggerFactory.getLogger(SystemTime.class);

  static final SystemTime INSTANCE = new SystemTime();

  private final ScheduledThreadPoolExecutor timers;

  private SystemTime() {
    timers =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "paceline-timer");
              thread.setDaemon(true);
              return thread;
            });
    timers.setRemoveOnCancelPolicy(true);
    timers.setKeepAliveTime(30, TimeUnit.SECONDS);
    timers.allowCoreThreadTimeOut(true);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public long epochMicros() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000L + now.getNano() / 1_000;
  }

  @Override
  public Timer schedule(Runnable task, long delayNanos) {
    Future<?> future = timers.schedule(() -> runLogged(task), delayNanos, TimeUnit.NANOSECONDS);
    return () -> future.cancel(false);
  }

  private static void runLogged(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      log.warn("A timer task failed; later ones are not affected", e);
    }
  }

  @Override
  public void park(Object blocker, long nanos) {
    LockSupport.parkNanos(blocker, nanos);
  }

  @Override
  public void unpark(Thread thread) {
    LockSupport.unpark(thread);
  }
}
