package dev.paceline.benchmarks;

import dev.paceline.Paceline;
import dev.paceline.limit.Limit;
import dev.paceline.okhttp.PacelineOkHttp;
import dev.paceline.redis.RedisBuckets;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.config.Config;

/**
 * One worker of a fleet: {@code paceline|bucket4j|redisson|jitter redis port name perSecond burst
 * callers}. Says {@code ready}, and for each number of seconds that it reads calls so long without
 * a pause and says {@code done}.
 */
final class FleetWorker {

  private final OkHttpClient client;
  private final Gate gate;
  private final int port;
  private final String name;

  /** What a call passes before it is sent. */
  @FunctionalInterface
  private interface Gate {
    void pass() throws IOException, InterruptedException;
  }

  private FleetWorker(OkHttpClient client, Gate gate, int port, String name) {
    this.client = client;
    this.gate = gate;
    this.port = port;
    this.name = name;
  }

  /** Runs until its input ends. */
  public static void main(String[] args) throws Exception {
    FleetWorker worker =
        make(
            args[0],
            args[1],
            Integer.parseInt(args[2]),
            args[3],
            Integer.parseInt(args[4]),
            Integer.parseInt(args[5]));
    int callers = Integer.parseInt(args[6]);
    worker.warmUp(callers);
    System.out.println("ready");
    try (Scanner in = new Scanner(System.in, StandardCharsets.UTF_8)) {
      while (in.hasNextDouble()) {
        worker.run(callers, (long) (in.nextDouble() * 1e9));
        System.out.println("done");
      }
    }
    System.exit(0);
  }

  private static FleetWorker make(
      String kind, String redis, int port, String name, int perSecond, int burst) {
    OkHttpClient.Builder client = new OkHttpClient.Builder();
    Duration second = Duration.ofSeconds(1);
    return switch (kind) {
      case "paceline" -> {
        Paceline paceline =
            Paceline.builder()
                .upstream(
                    "fleet",
                    u -> u.hosts("127.0.0.1").limit(Limit.of(perSecond).per(second).burst(burst)))
                .retry(r -> r.maxAttempts(1))
                .maxWait(Duration.ofHours(2))
                .sharedThrough(RedisBuckets.connect(redis))
                .build();
        yield new FleetWorker(
            PacelineOkHttp.install(client, paceline).build(), () -> {}, port, name);
      }
      case "bucket4j" -> {
        BucketConfiguration limit =
            BucketConfiguration.builder()
                .addLimit(
                    b -> b.capacity(burst).refillGreedy(perSecond, second).initialTokens(burst))
                .build();
        BucketProxy bucket =
            Bucket4jLettuce.casBasedBuilder(RedisClient.create(redis))
                .build()
                .builder()
                .build("fleet".getBytes(StandardCharsets.UTF_8), () -> limit);
        yield new FleetWorker(client.build(), () -> bucket.asBlocking().consume(1), port, name);
      }
      case "redisson" -> {
        Config config = new Config();
        config.useSingleServer().setAddress(redis);
        RRateLimiter limiter = Redisson.create(config).getRateLimiter("fleet");
        // Its windows have no burst of their own: a short one is as strict as the provider.
        limiter.trySetRate(
            RateType.OVERALL, burst, second.multipliedBy(burst).dividedBy(perSecond));
        yield new FleetWorker(client.build(), limiter::acquire, port, name);
      }
      case "jitter" -> new FleetWorker(client.build(), () -> {}, port, name);
      default -> throw new IllegalArgumentException("no kind " + kind);
    };
  }

  private Request request(String path) {
    return new Request.Builder().url("http://127.0.0.1:" + port + path).build();
  }

  private void warmUp(int callers) throws InterruptedException {
    OkHttpClient opened = withoutInterceptors(client);
    inThreads(
        callers,
        () -> {
          for (int i = 0; i < 300; i++) {
            send(opened, request("/ready"));
          }
        });
  }

  private static OkHttpClient withoutInterceptors(OkHttpClient client) {
    OkHttpClient.Builder builder = client.newBuilder();
    builder.interceptors().clear();
    builder.networkInterceptors().clear();
    return builder.build();
  }

  private void run(int callers, long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    Request request = request("/worker/" + name);
    inThreads(
        callers,
        () -> {
          int refusals = 0;
          while (System.nanoTime() - end < 0) {
            gate.pass();
            refusals = send(client, request) == 429 ? refusals + 1 : 0;
            if (refusals > 0) {
              // What a careful client without a limiter does: full jitter from 20 ms to 1 s.
              long most = Math.min(1_000, 20L << Math.min(refusals, 6));
              TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(most + 1));
            }
          }
        });
  }

  private static int send(OkHttpClient client, Request request) throws IOException {
    try (Response response = client.newCall(request).execute()) {
      return response.code();
    }
  }

  private static void inThreads(int count, Gate task) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  task.pass();
                } catch (IOException e) {
                  System.err.println(e);
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
