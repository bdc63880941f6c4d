package dev.paceline.benchmarks;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.github.bucket4j.redis.lettuce.cas.LettuceBasedProxyManager;
import io.lettuce.core.RedisClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Bucket4j on Lettuce: as it comes, or asynchronous with batching, its fastest exact mode. */
final class Bucket4jContender implements Contender {

  private final boolean batching;
  private final RedisClient client;
  private final BucketProxy[] buckets;
  private final AsyncBucketProxy[] asyncBuckets;

  /** A connection of its own, and one proxy a key. */
  Bucket4jContender(String uri, int keys, boolean batching) {
    this.batching = batching;
    client = RedisClient.create(uri);
    LettuceBasedProxyManager<byte[]> manager =
        Bucket4jLettuce.casBasedBuilder(client)
            .expirationAfterWrite(
                ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(
                    Duration.ofSeconds(1)))
            .build();
    BucketConfiguration configuration =
        BucketConfiguration.builder()
            .addLimit(limit -> limit.capacity(PERMITS).refillGreedy(PERMITS, PERIOD))
            .build();
    buckets = new BucketProxy[keys];
    asyncBuckets = new AsyncBucketProxy[keys];
    for (int i = 0; i < keys; i++) {
      byte[] key = ("b4j:tenant-" + i).getBytes(StandardCharsets.UTF_8);
      buckets[i] = manager.builder().build(key, () -> configuration);
      asyncBuckets[i] =
          batching
              ? manager
                  .asAsync()
                  .builder()
                  .withOptimization(Optimizations.batching())
                  .build(key, () -> CompletableFuture.completedFuture(configuration))
              : manager
                  .asAsync()
                  .builder()
                  .build(key, () -> CompletableFuture.completedFuture(configuration));
    }
  }

  @Override
  public String name() {
    return batching ? "Bucket4j, batching" : "Bucket4j";
  }

  @Override
  public void permitNow(int key) {
    check(buckets[key].tryConsume(1));
  }

  @Override
  public CompletableFuture<?> permit(int key) {
    return asyncBuckets[key].tryConsume(1).thenAccept(Bucket4jContender::check);
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
