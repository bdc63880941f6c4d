package dev.paceline.benchmarks.soak;

import dev.paceline.redis.testing.RedisServer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Watches that a fleet takes no more and more memory, threads, connections and keys, and that
 * nothing of it is left when it is closed.
 */
final class Leaks {

  /**
   * What a warm fleet's live heap may grow by: far less than 100 bytes of each of 100,000 calls.
   */
  private static final double MOST_MIB = 4;

  /** One schedule, the upstream's cooldown, the workers, and what they say of themselves. */
  private static final int MOST_KEYS = 5;

  private static final long PATIENCE_NANOS = 20_000_000_000L;

  private final RedisServer redis;
  private final Set<String> before = threads();
  private int connections;
  private int threads;
  private double heapMiB;
  private long mostKeys;
  private String text = "";

  Leaks(RedisServer redis) {
    this.redis = redis;
  }

  /** The fleet is there, and no fault was yet. */
  void begun() {
    connections = connections();
  }

  /** The fleet has seen some faults: from here on nothing grows. */
  void warm() {
    heapMiB = liveMiB();
    threads = Thread.activeCount();
  }

  /** Counts the keys, which at no moment are without a lifetime. */
  List<String> look() {
    List<String> faults = new ArrayList<>();
    List<String> keys = redis.keys("*");
    mostKeys = Math.max(mostKeys, keys.size());
    for (String key : keys) {
      if (redis.call("PTTL", key).equals(-1L)) {
        faults.add(key + " has no lifetime");
      }
    }
    return faults;
  }

  /**
   * Compares, once no fault lasts and before anything is closed.
   *
   * @param callers how many threads may have been begun for calls since
   */
  List<String> ended(int callers) throws InterruptedException {
    List<String> faults = new ArrayList<>(look());
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (connections() > connections && System.nanoTime() - end < 0) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
    int open = connections();
    double grew = liveMiB() - heapMiB;
    int more = Thread.activeCount() - threads;
    expect(faults, open <= connections, open + " connections, " + connections + " at the start");
    expect(faults, grew <= MOST_MIB, String.format(Locale.ROOT, "heap grew by %.1f MiB", grew));
    expect(faults, more <= callers, more + " threads more than when it was warm");
    expect(faults, mostKeys <= MOST_KEYS, mostKeys + " keys");
    text =
        String.format(
            Locale.ROOT,
            "heap %+.1f MiB, threads %+d, %d connections, at most %d keys",
            grew,
            more,
            open,
            mostKeys);
    return faults;
  }

  /** What {@link #ended} found, in words. */
  String text() {
    return text;
  }

  /** What is left after all was closed. */
  List<String> closed() throws InterruptedException {
    List<String> faults = new ArrayList<>();
    long end = System.nanoTime() + PATIENCE_NANOS;
    while ((!redis.call("DBSIZE").equals(0L) || !left().isEmpty()) && System.nanoTime() - end < 0) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
    expect(faults, redis.call("DBSIZE").equals(0L), "keys are left: " + redis.keys("*"));
    expect(faults, left().isEmpty(), "threads are left: " + left());
    expect(faults, connections() <= 1, "connections are left: " + redis.call("CLIENT", "LIST"));
    return faults;
  }

  private static void expect(List<String> faults, boolean held, String otherwise) {
    if (!held) {
      faults.add(otherwise);
    }
  }

  private int connections() {
    return (int) ((String) redis.call("CLIENT", "LIST")).lines().count();
  }

  private static double liveMiB() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1_048_576.0;
  }

  private static Set<String> threads() {
    Set<String> names = new TreeSet<>();
    Thread.getAllStackTraces().keySet().forEach(thread -> names.add(thread.getName()));
    return names;
  }

  /** Threads of the libraries; what they share by design may stay. */
  private Set<String> left() {
    Set<String> now = threads();
    now.removeAll(before);
    now.removeIf(
        name ->
            !name.startsWith("lettuce")
                && !name.startsWith("paceline-redis")
                && !name.startsWith("soak-caller")
                && !name.startsWith("OkHttp http"));
    return now;
  }
}
