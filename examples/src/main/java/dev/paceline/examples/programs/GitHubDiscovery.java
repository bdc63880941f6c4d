package dev.paceline.examples.programs;

import dev.paceline.Paceline;
import dev.paceline.feedback.Profiles;
import dev.paceline.okhttp.PacelineOkHttp;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/**
 * No limit is configured: GitHub says in each answer what is left of the hour, and when that is
 * nothing, the next call waits for the next hour, or fails at once if it cannot wait that long. The
 * schedule belongs to the token, of which only a fingerprint is kept.
 */
public final class GitHubDiscovery {
  private GitHubDiscovery() {}

  /**
   * Reads a resource some times.
   *
   * @param args the URL to read, and a token if there is one
   */
  public static void main(String[] args) throws IOException {
    HttpUrl url = HttpUrl.get(args[0]);
    Optional<String> token = args.length > 1 ? Optional.of(args[1]) : Optional.empty();
    try (Paceline paceline =
        Paceline.builder()
            .upstream(
                "github",
                u ->
                    u.hosts(url.host())
                        .profile(Profiles.github())
                        .scopedBy(request -> request.header("Authorization"))
                        .discoverLimits())
            .maxWait(Duration.ofMinutes(1))
            .build()) {
      OkHttpClient client = PacelineOkHttp.install(new OkHttpClient.Builder(), paceline).build();
      for (int i = 0; i < 5; i++) {
        Request.Builder request = new Request.Builder().url(url);
        token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
        try (Response response = client.newCall(request.build()).execute()) {
          System.out.println(
              response.code() + ", left: " + response.header("x-ratelimit-remaining"));
        }
      }
    }
  }
}
