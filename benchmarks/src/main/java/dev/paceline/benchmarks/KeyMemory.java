package dev.paceline.benchmarks;

import dev.paceline.KeyedLimiter;
import dev.paceline.Paceline;
import dev.paceline.limit.Limit;
import dev.paceline.redis.RedisBuckets;
import dev.paceline.redis.testing.RedisServer;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;

/**
 * What one schedule takes: in Redis as {@code MEMORY USAGE} says, in process by the heap's growth.
 */
final class KeyMemory {

  private static final int KEYS = 1_000_000;

  private KeyMemory() {}

  /** The largest of keys with names of 11 characters, in use. */
  static long inRedis(RedisServer server) throws Exception {
    try (Paceline paceline =
        Paceline.builder()
            .upstream("api", u -> u.limit(Limit.of(100).per(Duration.ofSeconds(1)).burst(50)))
            .sharedThrough(RedisBuckets.connect(server.uri()))
            .build()) {
      long most = 0;
      for (int i = 0; i < 100; i++) {
        paceline.limiter("api", "tenant-1%03d".formatted(i)).acquire();
      }
      List<String> keys = server.keys("*{api:tenant-1*");
      if (keys.size() != 100) {
        throw new IllegalStateException(keys.size() + " keys where 100 were made");
      }
      for (String key : keys) {
        Object bytes = server.call("MEMORY", "USAGE", key);
        most = Math.max(most, bytes == null ? 0 : (Long) bytes);
      }
      return most;
    }
  }

  /** Bytes of heap a key. */
  record InProcess(double withName, double name) {}

  static InProcess inProcess() {
    try (Paceline paceline =
        Paceline.builder()
            .upstream("api", u -> u.limit(Limit.of(1).per(Duration.ofHours(1)).burst(10)))
            .build()) {
      KeyedLimiter limiter = paceline.keyedLimiter("api");
      String[] names = new String[KEYS];
      long before = usedHeap();
      for (int i = 0; i < KEYS; i++) {
        names[i] = "tenant-" + (1_000 + i);
      }
      long named = usedHeap();
      for (String name : names) {
        if (!limiter.tryAcquire(name)) {
          throw new IllegalStateException("not allowed at once");
        }
      }
      long filled = usedHeap();
      // Still in use here, so that nothing could be collected.
      if (!limiter.tryAcquire(names[KEYS - 1])) {
        throw new IllegalStateException("not allowed at once");
      }
      return new InProcess((double) (filled - before) / KEYS, (double) (named - before) / KEYS);
    }
  }

  private static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
