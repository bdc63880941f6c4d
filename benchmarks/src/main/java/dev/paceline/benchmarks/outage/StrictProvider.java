package dev.paceline.benchmarks.outage;

import java.util.ArrayList;
import java.util.List;

/** Judges arrivals by its own limit, written independently of the SDK. Thread-safe. */
final class StrictProvider {

  private final long intervalNanos;
  private final long toleranceNanos;
  private final List<Long> accepted = new ArrayList<>();
  private final long begin = System.nanoTime();
  private long next;
  private long refused;
  private double least;
  private double most;

  StrictProvider(int perSecond, int burst) {
    intervalNanos = 1_000_000_000L / perSecond;
    toleranceNanos = (burst - 1) * intervalNanos;
    next = System.nanoTime();
  }

  synchronized void arrive() {
    long now = System.nanoTime();
    double ahead = accepted.size() + refused - (double) (now - begin) / intervalNanos;
    least = Math.min(least, ahead);
    most = Math.max(most, ahead + 1 - least);
    long due = Math.max(next - now, 0);
    if (due > toleranceNanos) {
      refused++;
    } else {
      next = now + due + intervalNanos;
      accepted.add(now);
    }
  }

  /** The least burst that would have allowed all that came. */
  synchronized double neededBurst() {
    return most;
  }

  synchronized long refused() {
    return refused;
  }

  synchronized long accepted() {
    return accepted.size();
  }

  /** How many were accepted in a stretch of time. */
  synchronized long accepted(long from, long until) {
    return accepted.stream().filter(at -> at - from >= 0 && at - until < 0).count();
  }
}
