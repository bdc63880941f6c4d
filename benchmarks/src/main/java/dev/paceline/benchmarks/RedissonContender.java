package dev.paceline.benchmarks;

import java.util.concurrent.CompletableFuture;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's rate limiter, as it comes. */
final class RedissonContender implements Contender {

  private final RedissonClient client;
  private final RRateLimiter limiter;

  /** A client of its own, and one limiter. */
  RedissonContender(String uri) {
    Config config = new Config();
    config.useSingleServer().setAddress(uri);
    client = Redisson.create(config);
    limiter = client.getRateLimiter("redisson:tenant-0001");
    limiter.trySetRate(RateType.OVERALL, PERMITS, PERIOD);
  }

  @Override
  public String name() {
    return "Redisson";
  }

  @Override
  public void permitNow(int key) {
    check(limiter.tryAcquire());
  }

  @Override
  public CompletableFuture<?> permit(int key) {
    return limiter.tryAcquireAsync().toCompletableFuture().thenAccept(RedissonContender::check);
  }

  private static void check(boolean allowed) {
    if (!allowed) {
      throw new IllegalStateException("not allowed at once");
    }
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
