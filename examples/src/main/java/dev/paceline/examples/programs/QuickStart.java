package dev.paceline.examples.programs;

import dev.paceline.Paceline;
import dev.paceline.limit.Limit;
import dev.paceline.okhttp.PacelineOkHttp;
import java.io.IOException;
import java.time.Duration;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** The smallest useful program: one limit, and an OkHttp client that keeps it. */
public final class QuickStart {
  private QuickStart() {}

  /**
   * Calls an API that takes 20 calls a second.
   *
   * @param args the URL to call
   */
  public static void main(String[] args) throws IOException {
    HttpUrl url = HttpUrl.get(args[0]);
    try (Paceline paceline =
        Paceline.builder()
            .upstream(
                "partner", u -> u.hosts(url.host()).limit(Limit.of(20).per(Duration.ofSeconds(1))))
            .build()) {
      OkHttpClient client = PacelineOkHttp.install(new OkHttpClient.Builder(), paceline).build();
      for (int i = 0; i < 10; i++) {
        try (Response response = client.newCall(new Request.Builder().url(url).build()).execute()) {
          System.out.println(response.code());
        }
      }
    }
  }
}
