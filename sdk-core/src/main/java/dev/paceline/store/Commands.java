package dev.paceline.store;

import dev.paceline.time.TimeSource;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Commands on their way, each of which ends within the timeout, once. Thread-safe.
 *
 * <p>All have the same timeout, so they expire in the order in which they were sent: one queue and
 * one timer serve them all.
 */
final class Commands {

  /** Told of one command, once; but what comes after the timeout is told, too. */
  interface Answer<T> {
    /** What is wrong with the reply; null if nothing is. */
    @Nullable String fault(T reply);

    void came(T reply, long sent, long received);

    void failed(long sent, long now, boolean timedOut);

    /** The reply came after {@link #failed}; it says that the command was executed. */
    void cameLate(T reply, long sent, long received);
  }

  private final TimeSource time;
  private final long timeoutNanos;
  private final Outage outage;
  private final StoreCounters counters;

  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final Queue<Command<?>> sent = new ArrayDeque<>();
  private boolean armed;

  Commands(TimeSource time, long timeoutNanos, Outage outage, StoreCounters counters) {
    this.time = time;
    this.timeoutNanos = timeoutNanos;
    this.outage = outage;
    this.counters = counters;
  }

  <T> void send(Supplier<CompletionStage<T>> send, Answer<T> answer) {
    counters.commands.increment();
    Command<T> command = new Command<>(answer, time.nanoTime());
    expireLater(command);
    CompletionStage<T> stage;
    try {
      stage = send.get();
    } catch (RuntimeException e) {
      command.fail(e);
      return;
    }
    stage.whenComplete(command::completed);
  }

  private void expireLater(Command<?> command) {
    lock.lock();
    try {
      sent.add(command);
      if (!armed) {
        armed = true;
        time.schedule(this::expire, timeoutNanos);
      }
    } finally {
      lock.unlock();
    }
  }

  private void expire() {
    while (true) {
      Command<?> expired;
      lock.lock();
      try {
        while (!sent.isEmpty() && sent.element().isDone()) {
          sent.remove();
        }
        if (sent.isEmpty()) {
          armed = false;
          return;
        }
        long left = sent.element().sentAt + timeoutNanos - time.nanoTime();
        if (left > 0) {
          time.schedule(this::expire, left);
          return;
        }
        expired = sent.remove();
      } finally {
        lock.unlock();
      }
      expired.fail(new TimeoutException("no reply within " + timeoutNanos / 1_000_000 + " ms"));
    }
  }

  private final class Command<T> {
    private final Answer<T> answer;
    private final long sentAt;
    private final AtomicBoolean done = new AtomicBoolean();

    Command(Answer<T> answer, long sentAt) {
      this.answer = answer;
      this.sentAt = sentAt;
    }

    boolean isDone() {
      return done.get();
    }

    void completed(@Nullable T reply, @Nullable Throwable cause) {
      if (cause != null || reply == null) {
        fail(cause == null ? new IllegalStateException("no reply") : unwrapped(cause));
        return;
      }
      String fault = answer.fault(reply);
      if (fault != null) {
        fail(new IllegalStateException(fault));
      } else if (done.compareAndSet(false, true)) {
        outage.succeeded();
        answer.came(reply, sentAt, time.nanoTime());
      } else {
        answer.cameLate(reply, sentAt, time.nanoTime());
      }
    }

    void fail(Throwable cause) {
      if (done.compareAndSet(false, true)) {
        outage.failed(cause);
        answer.failed(sentAt, time.nanoTime(), cause instanceof TimeoutException);
      }
    }

    private static Throwable unwrapped(Throwable cause) {
      Throwable inner = cause.getCause();
      return cause instanceof CompletionException && inner != null ? inner : cause;
    }
  }
}
