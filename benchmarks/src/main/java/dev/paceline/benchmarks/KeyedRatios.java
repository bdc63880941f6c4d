package dev.paceline.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.paceline.KeyedLimiter;
import dev.paceline.Paceline;
import dev.paceline.limit.Limit;
import io.github.bucket4j.Bucket;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * A permit by one of a million keys as ratios to bare look-ups, round by round in one process: what
 * the machine does meanwhile falls on all alike.
 *
 * <p>{@code java -Xms4g -Xmx4g -cp benchmarks.jar dev.paceline.benchmarks.KeyedRatios [rounds
 * [keys]]}
 */
final class KeyedRatios {

  private static final int CALLS = 1_000_000;
  private static final String CAFFEINE = "look-up in Caffeine";
  private static final String HASH_MAP = "look-up in a ConcurrentHashMap";

  private KeyedRatios() {}

  /** Prints the table. */
  public static void main(String[] args) {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 15;
    Row.print(run(rounds, args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000));
  }

  private static List<Row> run(int rounds, int count) {
    String[] keys = new String[count];
    for (int i = 0; i < count; i++) {
      keys[i] = "tenant-" + i;
    }
    Cache<String, AtomicLong> caffeine = Caffeine.newBuilder().build();
    ConcurrentHashMap<String, AtomicLong> hashMap = new ConcurrentHashMap<>();
    Cache<String, Bucket> cachedBuckets = Caffeine.newBuilder().build();
    ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();
    Limit limit = Limit.of(1_000_000_000).per(Duration.ofSeconds(1)).tokenBucket();
    Samples nanos = new Samples();
    try (Paceline paceline = Paceline.builder().upstream("api", u -> u.limit(limit)).build()) {
      KeyedLimiter limiter = paceline.keyedLimiter("api");
      Map<String, Predicate<String>> all = new LinkedHashMap<>();
      all.put("Paceline", limiter::tryAcquire);
      all.put(CAFFEINE, k -> KeyedPermitBenchmark.floor(caffeine.get(k, n -> new AtomicLong())));
      all.put(
          HASH_MAP,
          k -> KeyedPermitBenchmark.floor(hashMap.computeIfAbsent(k, n -> new AtomicLong())));
      all.put(
          "Bucket4j in Caffeine",
          k -> cachedBuckets.get(k, n -> KeyedPermitBenchmark.bucket()).tryConsume(1));
      all.put(
          "Bucket4j in a ConcurrentHashMap",
          k -> buckets.computeIfAbsent(k, n -> KeyedPermitBenchmark.bucket()).tryConsume(1));
      // The rounds before the first fill the structures, and let all be compiled.
      for (int round = -5; round < rounds; round++) {
        for (Map.Entry<String, Predicate<String>> each : all.entrySet()) {
          double took = nanos(keys, round, each.getValue());
          if (round >= 0) {
            nanos.add(each.getKey(), took);
          }
        }
      }
    }
    double toCaffeine = nanos.ratio("Paceline", CAFFEINE);
    double toHashMap = nanos.ratio("Paceline", HASH_MAP);
    return List.of(
        new Row(
            "permit by key, 1,000,000 keys",
            "≤ 1.2 × a look-up in Caffeine with that floor; the same beside a ConcurrentHashMap",
            toCaffeine <= 1.2 && toHashMap <= 1.2,
            "%s ns; %s ×, %s ×"
                .formatted(
                    Row.number(nanos.median("Paceline")),
                    Row.number(toCaffeine),
                    Row.number(toHashMap)),
            nanos.beside("Paceline", " ns")));
  }

  /** Nanoseconds a call. */
  private static double nanos(String[] keys, int seed, Predicate<String> taken) {
    SplittableRandom random = new SplittableRandom(seed);
    long start = System.nanoTime();
    int count = 0;
    for (int i = 0; i < CALLS; i++) {
      if (taken.test(keys[random.nextInt(keys.length)])) {
        count++;
      }
    }
    long took = System.nanoTime() - start;
    if (count != CALLS) {
      throw new IllegalStateException("refused: " + (CALLS - count));
    }
    return (double) took / CALLS;
  }
}
