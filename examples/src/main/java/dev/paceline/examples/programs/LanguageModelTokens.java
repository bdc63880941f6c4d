package dev.paceline.examples.programs;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paceline.AcquireOptions;
import dev.paceline.Limiter;
import dev.paceline.Paceline;
import dev.paceline.Permit;
import dev.paceline.limit.Limit;
import java.io.IOException;
import java.time.Duration;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/**
 * A language model that limits requests and tokens a minute. What a call costs in tokens is known
 * only afterwards: it is estimated before, and settled by what the answer says.
 */
public final class LanguageModelTokens {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final MediaType TYPE = MediaType.get("application/json");

  private LanguageModelTokens() {}

  /**
   * Asks three questions.
   *
   * @param args the URL of the completions
   */
  public static void main(String[] args) throws IOException {
    HttpUrl url = HttpUrl.get(args[0]);
    OkHttpClient client = new OkHttpClient();
    try (Paceline paceline =
        Paceline.builder()
            .upstream(
                "model",
                u ->
                    u.limit(Limit.of(600).per(Duration.ofMinutes(1)))
                        .limit(
                            Limit.of(60_000)
                                .per(Duration.ofMinutes(1))
                                .tokenBucket()
                                .unit("tokens")))
            .build()) {
      Limiter limiter = paceline.limiter("model");
      for (String question : new String[] {"Why pace calls?", "And through Redis?", "How fast?"}) {
        String body = JSON.createObjectNode().put("prompt", question).toString();
        long estimate = body.length() / 4 + 1_000L;
        Permit permit = limiter.acquire(AcquireOptions.standard().cost("tokens", estimate));
        Request request =
            new Request.Builder().url(url).post(RequestBody.create(body, TYPE)).build();
        try (Response response = client.newCall(request).execute()) {
          long used = JSON.readTree(response.body().string()).at("/usage/total_tokens").asLong();
          permit.settle("tokens", used);
          System.out.println(question + " " + used + " tokens instead of " + estimate);
        }
      }
    }
  }
}
