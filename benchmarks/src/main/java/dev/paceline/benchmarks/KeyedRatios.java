package dev.paceline.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.paceline.KeyedLimiter;
import dev.paceline.Paceline;
import dev.paceline.limit.Limit;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * A permit by one of a million keys as ratios to bare look-ups, round by round in one process: what
 * the machine does meanwhile falls on all alike. Arguments: rounds.
 */
public final class KeyedRatios {

  private static final int KEYS = 1_000_000;
  private static final int CALLS = 1_000_000;

  private KeyedRatios() {}

  /** Prints the median of each, and of each round's ratios. */
  public static void main(String[] args) {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 30;
    String[] keys = new String[KEYS];
    for (int i = 0; i < KEYS; i++) {
      keys[i] = "tenant-" + i;
    }
    Cache<String, AtomicLong> caffeine = Caffeine.newBuilder().build();
    ConcurrentHashMap<String, AtomicLong> hashMap = new ConcurrentHashMap<>();
    Limit limit = Limit.of(1_000_000_000).per(Duration.ofSeconds(1)).tokenBucket();
    try (Paceline paceline = Paceline.builder().upstream("api", u -> u.limit(limit)).build()) {
      KeyedLimiter limiter = paceline.keyedLimiter("api");
      double[] ours = new double[rounds];
      double[] cached = new double[rounds];
      double[] mapped = new double[rounds];
      for (int round = -5; round < rounds; round++) {
        double a = nanos(keys, round, limiter::tryAcquire);
        double b =
            nanos(
                keys,
                round,
                k -> KeyedPermitBenchmark.floor(caffeine.get(k, n -> new AtomicLong())));
        double c =
            nanos(
                keys,
                round,
                k -> KeyedPermitBenchmark.floor(hashMap.computeIfAbsent(k, n -> new AtomicLong())));
        if (round >= 0) {
          ours[round] = a;
          cached[round] = b;
          mapped[round] = c;
        }
      }
      print("paceline", ours, ours);
      print("beside Caffeine", cached, ours);
      print("beside ConcurrentHashMap", mapped, ours);
    }
  }

  private static void print(String name, double[] nanos, double[] ours) {
    double[] ratios = new double[nanos.length];
    Arrays.setAll(ratios, i -> ours[i] / nanos[i]);
    System.out.printf(
        Locale.ROOT, "%-26s %7.1f ns   ratio %.3f%n", name, median(nanos), median(ratios));
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** Nanoseconds a call. */
  private static double nanos(String[] keys, int seed, Predicate<String> taken) {
    SplittableRandom random = new SplittableRandom(seed);
    long start = System.nanoTime();
    int count = 0;
    for (int i = 0; i < CALLS; i++) {
      if (taken.test(keys[random.nextInt(KEYS)])) {
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
