package app;

import dev.paceline.Paceline;
import dev.paceline.limit.Limit;
import dev.paceline.okhttp.PacelineOkHttp;
import java.time.Duration;
import okhttp3.OkHttpClient;

/** The smallest application on the module path. */
public final class Main {
  public static void main(String[] args) throws Exception {
    try (Paceline paceline =
        Paceline.builder()
            .upstream("api", u -> u.limit(Limit.of(100).per(Duration.ofSeconds(1))))
            .build()) {
      OkHttpClient client =
          PacelineOkHttp.install(new OkHttpClient.Builder(), paceline).build();
      paceline.acquire("api").sent();
      System.out.println(client.interceptors().get(0).getClass().getModule() + " starts");
    }
  }
}
