package dev.paceline.examples.programs;

import com.slack.api.Slack;
import com.slack.api.SlackConfig;
import com.slack.api.methods.MethodsClient;
import com.slack.api.methods.SlackApiException;
import com.slack.api.util.http.SlackHttpClient;
import dev.paceline.Paceline;
import dev.paceline.feedback.Profiles;
import dev.paceline.limit.Limit;
import dev.paceline.okhttp.PacelineOkHttp;
import java.io.IOException;
import java.time.Duration;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;

/**
 * Slack's own SDK, which leaves a 429 to its user: here one message a second, and 100 other calls a
 * minute, for each token.
 */
public final class SlackClient {
  private SlackClient() {}

  /**
   * Posts three messages.
   *
   * @param args the URL of the methods ({@code https://slack.com/api/}), a token, a channel
   */
  public static void main(String[] args) throws IOException, SlackApiException {
    HttpUrl url = HttpUrl.get(args[0]);
    try (Paceline paceline =
        Paceline.builder()
            .upstream(
                "slack",
                u ->
                    u.hosts(url.host())
                        .limit("POST /api/chat.postMessage", Limit.of(1).per(Duration.ofSeconds(1)))
                        .limit("/api/*", Limit.of(100).per(Duration.ofMinutes(1)).burst(10))
                        .scopedBy(request -> request.header("Authorization"))
                        .profile(Profiles.slack()))
            .maxWait(Duration.ofMinutes(1))
            .build()) {
      OkHttpClient client = PacelineOkHttp.install(new OkHttpClient.Builder(), paceline).build();
      SlackConfig config = new SlackConfig();
      config.setMethodsEndpointUrlPrefix(url.toString());
      config.setStatsEnabled(false); // Else it calls auth.test before each call.
      MethodsClient slack = Slack.getInstance(config, new SlackHttpClient(client)).methods(args[1]);
      for (int i = 1; i <= 3; i++) {
        String text = "message " + i;
        boolean posted = slack.chatPostMessage(m -> m.channel(args[2]).text(text)).isOk();
        System.out.println(text + (posted ? " posted" : " refused"));
      }
    }
  }
}
