package dev.paceline.examples.programs;

import dev.paceline.Paceline;
import dev.paceline.limit.Limit;
import dev.paceline.okhttp.PacelineCallFactory;
import dev.paceline.okhttp.PacelineOkHttp;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.ResponseBody;
import retrofit2.Retrofit;
import retrofit2.http.GET;
import retrofit2.http.Path;

/**
 * An API as Retrofit describes it, at most 10 calls a second. Retrofit enqueues its calls, so it
 * gets the call factory: however many wait, none of them holds a thread.
 */
public final class RetrofitClient {
  private RetrofitClient() {}

  /** The API. */
  public interface Orders {
    /** One order. */
    @GET("orders/{id}")
    CompletableFuture<ResponseBody> order(@Path("id") int id);
  }

  /**
   * Asks for ten orders at once.
   *
   * @param args the URL of the API, with a slash at its end
   */
  public static void main(String[] args) {
    HttpUrl url = HttpUrl.get(args[0]);
    try (Paceline paceline =
        Paceline.builder()
            .upstream(
                "partner", u -> u.hosts(url.host()).limit(Limit.of(10).per(Duration.ofSeconds(1))))
            .build()) {
      OkHttpClient client = PacelineOkHttp.install(new OkHttpClient.Builder(), paceline).build();
      Orders orders =
          new Retrofit.Builder()
              .baseUrl(url)
              .callFactory(PacelineCallFactory.of(client, paceline))
              .build()
              .create(Orders.class);
      IntStream.range(0, 10)
          .mapToObj(id -> orders.order(id).thenAccept(body -> print(id, body)))
          .toList()
          .forEach(CompletableFuture::join);
    }
  }

  private static void print(int id, ResponseBody body) {
    try (body) {
      System.out.println("order " + id + ": " + body.contentLength() + " bytes");
    }
  }
}
