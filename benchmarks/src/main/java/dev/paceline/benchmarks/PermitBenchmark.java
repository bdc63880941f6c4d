package dev.paceline.benchmarks;

import com.google.common.util.concurrent.RateLimiter;
import dev.paceline.Limiter;
import dev.paceline.Paceline;
import dev.paceline.limit.Limit;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A permit that is free at once, in process, on one key: run with {@code -t 1} and {@code -t 2}.
 * {@link #floor} is the least that any limiter of this kind must do.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PermitBenchmark {

  /** So many that each call is allowed. */
  private static final long PER_SECOND = 1_000_000_000L;

  private final AtomicLong tat = new AtomicLong();
  private Limiter paceline;
  private RateLimiter guava;
  private Bucket bucket4j;
  private io.github.resilience4j.ratelimiter.RateLimiter resilience4j;
  private dev.failsafe.RateLimiter<Object> failsafeBursty;
  private dev.failsafe.RateLimiter<Object> failsafeSmooth;

  /** Builds one limiter of each library. */
  @Setup
  public void build() {
    Duration second = Duration.ofSeconds(1);
    paceline =
        Paceline.builder()
            .upstream("api", u -> u.limit(Limit.of(PER_SECOND).per(second).tokenBucket()))
            .build()
            .limiter("api");
    guava = RateLimiter.create(PER_SECOND);
    bucket4j =
        Bucket.builder()
            .addLimit(limit -> limit.capacity(PER_SECOND).refillGreedy(PER_SECOND, second))
            .build();
    resilience4j =
        io.github.resilience4j.ratelimiter.RateLimiter.of(
            "api",
            RateLimiterConfig.custom()
                .limitForPeriod(Integer.MAX_VALUE)
                .limitRefreshPeriod(second)
                .timeoutDuration(Duration.ZERO)
                .build());
    failsafeBursty = dev.failsafe.RateLimiter.burstyBuilder(PER_SECOND, second).build();
    failsafeSmooth = dev.failsafe.RateLimiter.smoothBuilder(Duration.ofNanos(1)).build();
  }

  /** One reading of the clock and one compare-and-set. */
  @Benchmark
  public boolean floor() {
    long now = System.nanoTime();
    while (true) {
      long seen = tat.get();
      if (tat.compareAndSet(seen, Math.max(seen, now) + 1)) {
        return true;
      }
    }
  }

  @Benchmark
  public boolean paceline() {
    return paceline.tryAcquire();
  }

  @Benchmark
  public boolean guava() {
    return guava.tryAcquire();
  }

  @Benchmark
  public boolean bucket4j() {
    return bucket4j.tryConsume(1);
  }

  @Benchmark
  public boolean resilience4j() {
    return resilience4j.acquirePermission();
  }

  @Benchmark
  public boolean failsafeBursty() {
    return failsafeBursty.tryAcquirePermit();
  }

  @Benchmark
  public boolean failsafeSmooth() {
    return failsafeSmooth.tryAcquirePermit();
  }
}
