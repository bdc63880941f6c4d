package dev.paceline.benchmarks;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * One way to take permits of schedules that live in Redis. Each key has a limit so large that every
 * call is allowed.
 */
interface Contender extends AutoCloseable {

  /** The limit of each key. */
  long PERMITS = 100_000_000L;

  /** The period of {@link #PERMITS}. */
  Duration PERIOD = Duration.ofSeconds(1);

  /** As it is written in the table. */
  String name();

  /** Takes a permit, and blocks until it has it. */
  void permitNow(int key) throws Exception;

  /** Takes a permit; fails if there was none. */
  CompletableFuture<?> permit(int key);

  /** What went another way than through Redis, and is therefore not measured: 0 for nothing. */
  default long bypassed() {
    return 0;
  }

  @Override
  void close();
}
