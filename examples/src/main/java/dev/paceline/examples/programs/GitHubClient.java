package dev.paceline.examples.programs;

import dev.paceline.Paceline;
import dev.paceline.feedback.Profiles;
import dev.paceline.limit.Limit;
import dev.paceline.okhttp.PacelineOkHttp;
import java.io.IOException;
import java.time.Duration;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import org.kohsuke.github.GitHub;
import org.kohsuke.github.GitHubAbuseLimitHandler;
import org.kohsuke.github.GitHubBuilder;
import org.kohsuke.github.GitHubRateLimitHandler;
import org.kohsuke.github.extras.okhttp3.OkHttpGitHubConnector;

/**
 * The library github-api: at most 10 calls a second. Its own handlers of refusals would wait a
 * second time; they are told to fail, so that one layer waits.
 */
public final class GitHubClient {
  private GitHubClient() {}

  /**
   * Reads some users.
   *
   * @param args the URL of the API ({@code https://api.github.com}), and names
   */
  public static void main(String[] args) throws IOException {
    try (Paceline paceline =
        Paceline.builder()
            .upstream(
                "github",
                u ->
                    u.hosts(HttpUrl.get(args[0]).host())
                        .limit(Limit.of(10).per(Duration.ofSeconds(1)))
                        .profile(Profiles.github()))
            .maxWait(Duration.ofMinutes(2))
            .build()) {
      OkHttpClient client = PacelineOkHttp.install(new OkHttpClient.Builder(), paceline).build();
      GitHub github =
          new GitHubBuilder()
              .withEndpoint(args[0])
              .withConnector(new OkHttpGitHubConnector(client))
              .withRateLimitHandler(GitHubRateLimitHandler.FAIL)
              .withAbuseLimitHandler(GitHubAbuseLimitHandler.FAIL)
              .build();
      for (int i = 1; i < args.length; i++) {
        System.out.println(args[i] + " is " + github.getUser(args[i]).getLogin());
      }
    }
  }
}
