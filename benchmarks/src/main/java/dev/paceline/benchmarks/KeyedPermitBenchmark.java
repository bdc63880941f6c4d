package dev.paceline.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.paceline.KeyedLimiter;
import dev.paceline.Paceline;
import dev.paceline.limit.Limit;
import io.github.bucket4j.Bucket;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A permit that is free at once, by a key drawn from a million, beside bare look-ups. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms4g", "-Xmx4g"})
public class KeyedPermitBenchmark {

  private static final int KEYS = 1_000_000;
  private static final long PER_SECOND = 1_000_000_000L;

  /** Only the structure that is measured is filled, so that each has the cache to itself. */
  @SuppressWarnings("NullAway") // JMH fills it in before the set-up.
  @Param({"paceline", "hashMap", "caffeine", "bucket4jHashMap", "bucket4jCaffeine"})
  private String what;

  private final String[] keys = new String[KEYS];
  private final ConcurrentHashMap<String, AtomicLong> hashMap = new ConcurrentHashMap<>();
  private final Cache<String, AtomicLong> caffeine = Caffeine.newBuilder().build();
  private final ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();
  private final Cache<String, Bucket> cachedBuckets = Caffeine.newBuilder().build();
  private final SplittableRandom random = new SplittableRandom(7);
  private KeyedLimiter paceline;

  /** Fills the structure under test. */
  @Setup(Level.Trial)
  public void fill() {
    Duration second = Duration.ofSeconds(1);
    paceline =
        Paceline.builder()
            .upstream("api", u -> u.limit(Limit.of(PER_SECOND).per(second).tokenBucket()))
            .build()
            .keyedLimiter("api");
    for (int i = 0; i < KEYS; i++) {
      keys[i] = "tenant-" + i;
      take(keys[i]);
    }
  }

  static Bucket bucket() {
    return Bucket.builder()
        .addLimit(
            limit -> limit.capacity(PER_SECOND).refillGreedy(PER_SECOND, Duration.ofSeconds(1)))
        .build();
  }

  @Benchmark
  public boolean permit() {
    return take(keys[random.nextInt(KEYS)]);
  }

  private boolean take(String key) {
    return switch (what) {
      case "paceline" -> paceline.tryAcquire(key);
      case "hashMap" -> floor(hashMap.computeIfAbsent(key, k -> new AtomicLong()));
      case "caffeine" -> floor(caffeine.get(key, k -> new AtomicLong()));
      case "bucket4jHashMap" -> buckets.computeIfAbsent(key, k -> bucket()).tryConsume(1);
      default -> cachedBuckets.get(key, k -> bucket()).tryConsume(1);
    };
  }

  /** One clock reading and one compare-and-set: what any schedule costs at the least. */
  static boolean floor(AtomicLong tat) {
    long now = System.nanoTime();
    while (true) {
      long seen = tat.get();
      if (tat.compareAndSet(seen, Math.max(seen, now) + 1)) {
        return true;
      }
    }
  }
}
