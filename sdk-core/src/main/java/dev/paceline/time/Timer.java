package dev.paceline.time;

/** A task that waits for its time. */
@FunctionalInterface
public interface Timer {

  /** Withdraws the task if it has not begun; otherwise does nothing. Never blocks. */
  void cancel();
}
