package dev.paceline.examples.programs;

import dev.paceline.Paceline;
import dev.paceline.limit.Limit;
import dev.paceline.okhttp.PacelineOkHttp;
import dev.paceline.redis.RedisBuckets;
import dev.paceline.store.OutagePolicy;
import java.io.IOException;
import java.time.Duration;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/**
 * One worker of a fleet: however many run, the partner sees 50 calls a second in all, and each of
 * its customers at most 10.
 */
public final class FleetThroughRedis {
  private FleetThroughRedis() {}

  /**
   * Calls for two customers.
   *
   * @param args the address of a Redis, and the URL to call
   */
  public static void main(String[] args) throws IOException {
    HttpUrl url = HttpUrl.get(args[1]);
    try (RedisBuckets redis = RedisBuckets.connect(args[0]);
        Paceline paceline =
            Paceline.builder()
                .upstream(
                    "partner",
                    u ->
                        u.hosts(url.host())
                            .sharedLimit(Limit.of(50).per(Duration.ofSeconds(1)))
                            .limit(Limit.of(10).per(Duration.ofSeconds(1)).burst(2))
                            .scopedBy(request -> request.header("Customer"))
                            .onStoreFailure(OutagePolicy.LOCAL))
                .sharedThrough(redis)
                .build()) {
      OkHttpClient client = PacelineOkHttp.install(new OkHttpClient.Builder(), paceline).build();
      for (int i = 0; i < 10; i++) {
        String customer = i % 2 == 0 ? "alice" : "bob";
        Request request = new Request.Builder().url(url).header("Customer", customer).build();
        try (Response response = client.newCall(request).execute()) {
          System.out.println(customer + " " + response.code());
        }
      }
      System.out.println(paceline.health());
    }
  }
}
