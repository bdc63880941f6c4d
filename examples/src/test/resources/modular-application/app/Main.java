package app;

import dev.paceline.Paceline;
import dev.paceline.limit.Limit;
import dev.paceline.okhttp.PacelineOkHttp;
import dev.paceline.redis.RedisBuckets;
import java.time.Duration;
import okhttp3.OkHttpClient;

/** The smallest application on the module path; nothing listens where its Redis should be. */
public final class Main {
  public static void main(String[] args) throws Exception {
    try (RedisBuckets buckets =
            RedisBuckets.builder().uri("redis://127.0.0.1:1").expectedWorkers(2).build();
        Paceline paceline =
            Paceline.builder()
                .upstream("api", u -> u.limit(Limit.of(100).per(Duration.ofSeconds(1))))
                .sharedThrough(buckets)
                .build()) {
      OkHttpClient client = PacelineOkHttp.install(new OkHttpClient.Builder(), paceline).build();
      paceline.acquire("api").sent();
      System.out.println(client.interceptors().get(0).getClass().getModule() + " starts");
      System.out.println(buckets.getClass().getModule() + " starts");
    }
  }
}
