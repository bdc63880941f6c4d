package dev.paceline.examples.programs;

import dev.paceline.Paceline;
import dev.paceline.PacelineException;
import dev.paceline.feedback.Profiles;
import dev.paceline.limit.Limit;
import dev.paceline.okhttp.PacelineOkHttp;
import java.io.IOException;
import java.time.Duration;
import okhttp3.FormBody;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/**
 * A charge that is not made twice: one idempotency key for all attempts of a call, at most 20
 * charges a second, and an answer within ten seconds, even if it is that there is none.
 */
public final class Payment {
  private Payment() {}

  /**
   * Makes a charge.
   *
   * @param args the URL of the charges
   */
  public static void main(String[] args) throws IOException {
    HttpUrl url = HttpUrl.get(args[0]);
    try (Paceline paceline =
        Paceline.builder()
            .upstream(
                "stripe",
                u ->
                    u.hosts(url.host())
                        .limit(Limit.of(100).per(Duration.ofSeconds(1)))
                        .limit("POST /v1/charges", Limit.of(20).per(Duration.ofSeconds(1)))
                        .profile(Profiles.stripe())
                        .mintIdempotencyKeys())
            .build()) {
      OkHttpClient client =
          PacelineOkHttp.install(new OkHttpClient.Builder(), paceline)
              .callTimeout(Duration.ofSeconds(10))
              .build();
      Request charge =
          new Request.Builder()
              .url(url)
              .post(new FormBody.Builder().add("amount", "1999").add("currency", "eur").build())
              .build();
      try (Response response = client.newCall(charge).execute()) {
        System.out.println(response.code() + " " + response.body().string());
      } catch (PacelineException e) {
        // Nothing was sent by this attempt; the message says which limit, how long, what to do.
        System.out.println(e.reason() + ", again after " + e.retryAfter() + ": " + e.getMessage());
      }
    }
  }
}
