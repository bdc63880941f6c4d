package dev.paceline.pace;

import dev.paceline.time.TimeSource;
import dev.paceline.time.Timer;
import java.util.ArrayList;
import java.util.List;

/** A clock that is moved by hand, small enough for a model checker. */
final class HandTime implements TimeSource {

  private static final class Task implements Timer {
    final Runnable task;
    final long at;
    boolean over;

    Task(Runnable task, long at) {
      this.task = task;
      this.at = at;
    }

    @Override
    public void cancel() {
      take();
    }

    synchronized boolean take() {
      boolean first = !over;
      over = true;
      return first;
    }
  }

  private final List<Task> tasks = new ArrayList<>();
  private volatile long now;

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public long epochMicros() {
    return now / 1_000;
  }

  @Override
  public Timer schedule(Runnable task, long delayNanos) {
    Task entry = new Task(task, now + Math.max(0, delayNanos));
    synchronized (tasks) {
      tasks.add(entry);
    }
    return entry;
  }

  /** Moves the clock, and runs what is due then, each task once. */
  void moveTo(long nanos) {
    now = nanos;
    List<Task> due = new ArrayList<>();
    synchronized (tasks) {
      for (Task task : tasks) {
        if (task.at <= nanos) {
          due.add(task);
        }
      }
      tasks.removeAll(due);
    }
    for (Task task : due) {
      if (task.take()) {
        task.task.run();
      }
    }
  }

  @Override
  public void park(Object blocker, long nanos) {
    throw new AssertionError("nobody parks here");
  }

  @Override
  public void unpark(Thread thread) {}
}
