package dev.paceline.benchmarks;

import dev.paceline.AcquireOptions;
import dev.paceline.KeyedLimiter;
import dev.paceline.Limiter;
import dev.paceline.Paceline;
import dev.paceline.limit.Limit;
import dev.paceline.redis.RedisBuckets;
import dev.paceline.store.StoreStats;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/** This SDK, as it comes. */
final class PacelineContender implements Contender {

  private final Paceline paceline;
  private final IntFunction<Limiter> limiters;

  /**
   * A worker of its own.
   *
   * @param keys how many there are; each is an owner of its own
   * @param ahead whether it may reserve permits before they are asked for, as it does by itself
   */
  PacelineContender(String uri, int keys, boolean ahead) {
    // A command that times out would be answered by the worker's share, which is not what is
    // measured.
    RedisBuckets redis =
        RedisBuckets.builder().uri(uri).commandTimeout(Duration.ofSeconds(5)).build();
    paceline =
        Paceline.builder()
            .upstream("api", u -> u.limit(Limit.of(PERMITS).per(PERIOD).tokenBucket()))
            .permitsAhead(ahead)
            // As the others: the next permit is asked for where the answer comes.
            .executor(Runnable::run)
            .sharedThrough(redis)
            .build();
    if (keys == 1) {
      Limiter one = paceline.limiter("api", "tenant-0001");
      limiters = key -> one;
    } else {
      KeyedLimiter keyed = paceline.keyedLimiter("api");
      String[] names = new String[keys];
      for (int i = 0; i < keys; i++) {
        names[i] = "tenant-" + i;
      }
      limiters = key -> keyed.of(names[key]);
    }
  }

  @Override
  public String name() {
    return "Paceline";
  }

  @Override
  public void permitNow(int key) throws IOException {
    limiters.apply(key).acquire();
  }

  @Override
  public CompletableFuture<?> permit(int key) {
    return limiters.apply(key).acquireAsync(AcquireOptions.standard());
  }

  @Override
  public long bypassed() {
    StoreStats store = paceline.stats().store().orElseThrow();
    return store.fallbackPermits() + store.failures();
  }

  @Override
  public void close() {
    paceline.close();
  }
}
