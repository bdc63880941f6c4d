package dev.paceline.benchmarks;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.concurrent.CompletableFuture;

/**
 * The least that a shared GCRA can cost: one small script by its digest, on Lettuce, nothing around
 * it.
 */
final class ScriptContender implements Contender {

  private static final String SCRIPT =
      """
      local time = redis.call('TIME')
      local now = time[1] * 1000000 + time[2]
      local tat = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now)
      local interval, tolerance = ARGV[1] + 0, ARGV[2] + 0
      if tat + interval - tolerance > now then
        return tat + interval - tolerance - now
      end
      tat = tat + interval
      redis.call('SET', KEYS[1], string.format('%.2f', tat), 'PX', math.ceil((tat - now) / 1000) + 1000)
      return 0
      """;

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  private final String sha;
  private final String[] interval;

  /** A connection of its own. */
  ScriptContender(String uri) {
    client = RedisClient.create(uri);
    connection = client.connect();
    sha = connection.sync().scriptLoad(SCRIPT);
    double micros = (double) PERIOD.toNanos() / 1_000 / PERMITS;
    interval = new String[] {Double.toString(micros), Double.toString(micros * PERMITS)};
  }

  @Override
  public String name() {
    return "minimal script";
  }

  private static String[] key(int key) {
    return new String[] {"gcra:tenant-" + key};
  }

  @Override
  public void permitNow(int key) {
    Long wait = connection.sync().evalsha(sha, ScriptOutputType.INTEGER, key(key), interval);
    check(wait);
  }

  @Override
  public CompletableFuture<?> permit(int key) {
    return connection
        .async()
        .<Long>evalsha(sha, ScriptOutputType.INTEGER, key(key), interval)
        .toCompletableFuture()
        .thenAccept(ScriptContender::check);
  }

  private static void check(Long wait) {
    if (wait != 0) {
      throw new IllegalStateException("not allowed at once");
    }
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}
