package dev.paceline.examples.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.slack.api.Slack;
import com.slack.api.SlackConfig;
import com.slack.api.methods.MethodsClient;
import com.slack.api.util.http.SlackHttpClient;
import dev.paceline.Paceline;
import dev.paceline.limit.Limit;
import dev.paceline.okhttp.PacelineCallFactory;
import dev.paceline.okhttp.PacelineOkHttp;
import dev.paceline.redis.RedisBuckets;
import dev.paceline.redis.testing.RedisServer;
import dev.paceline.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.OkHttpClient;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kohsuke.github.GitHub;
import org.kohsuke.github.GitHubBuilder;
import org.kohsuke.github.extras.okhttp3.OkHttpGitHubConnector;
import retrofit2.Call;
import retrofit2.Callback;
import retrofit2.Response;
import retrofit2.Retrofit;
import retrofit2.http.GET;

/**
 * Clients that stand on OkHttp, each given a paced one: they keep a limit that is shared through
 * Redis, and wait as a 429 says, without knowing of either.
 */
class RealClientsIT {
  private static final int CALLS = 8;

  /**
   * Seven intervals of 50 ms lie between eight calls at 20 a second; the clocks' grain is spared.
   */
  private static final long PACED_MILLIS = 340;

  private final TimeSource time = TimeSource.system();
  private final MockWebServer server = new MockWebServer();
  private final List<Long> arrivals = new CopyOnWriteArrayList<>();
  private Paceline paceline;
  private OkHttpClient client;

  @BeforeEach
  void start() throws IOException {
    server.start();
    String namespace = "clients-" + time.nanoTime();
    paceline =
        Paceline.builder()
            .upstream(
                "vendor",
                u -> u.hosts(server.getHostName()).limit(Limit.of(20).per(Duration.ofSeconds(1))))
            .sharedThrough(
                RedisBuckets.builder().uri(RedisServer.shared().uri()).namespace(namespace).build())
            .build();
    client = PacelineOkHttp.install(new OkHttpClient.Builder(), paceline).build();
  }

  @AfterEach
  void stop() {
    paceline.close();
    server.close();
  }

  /**
   * Answers {@code body}, but the request of index {@code refused} with a 429 and a second's wait.
   */
  private void answer(int refused, String body) {
    IntFunction<MockResponse> answers =
        index ->
            index == refused
                ? new MockResponse.Builder().code(429).addHeader("Retry-After", "1").build()
                : new MockResponse.Builder()
                    .addHeader("Content-Type", "application/json")
                    .body(body)
                    .build();
    server.setDispatcher(
        new Dispatcher() {
          @Override
          public synchronized MockResponse dispatch(RecordedRequest request) {
            arrivals.add(time.nanoTime());
            return answers.apply(arrivals.size() - 1);
          }
        });
  }

  private long millisBetween(int from, int to) {
    return TimeUnit.NANOSECONDS.toMillis(arrivals.get(to) - arrivals.get(from));
  }

  private void assertPaced() {
    assertThat(arrivals).hasSize(CALLS);
    assertThat(millisBetween(0, CALLS - 1)).isGreaterThanOrEqualTo(PACED_MILLIS);
    assertThat(paceline.stats().store().orElseThrow().commands()).isPositive();
  }

  private void assertWaitedAndRepeated() {
    assertThat(arrivals).hasSize(2);
    assertThat(millisBetween(0, 1)).isGreaterThanOrEqualTo(990);
  }

  /** An API as Retrofit is told of it. */
  interface Items {
    @GET("items")
    Call<ResponseBody> all();
  }

  private Items retrofit() {
    return new Retrofit.Builder()
        .baseUrl(server.url("/"))
        .callFactory(PacelineCallFactory.of(client, paceline))
        .build()
        .create(Items.class);
  }

  private static CompletableFuture<Integer> code(Call<ResponseBody> call) {
    CompletableFuture<Integer> code = new CompletableFuture<>();
    call.enqueue(
        new Callback<>() {
          @Override
          public void onResponse(Call<ResponseBody> of, Response<ResponseBody> response) {
            code.complete(response.code());
          }

          @Override
          public void onFailure(Call<ResponseBody> of, Throwable failure) {
            code.completeExceptionally(failure);
          }
        });
    return code;
  }

  @Test
  void retrofit_keeps_a_shared_limit() {
    answer(-1, "{}");
    Items items = retrofit();

    List<CompletableFuture<Integer>> codes = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      codes.add(code(items.all()));
    }

    assertThat(codes).allSatisfy(code -> assertThat(code.join()).isEqualTo(200));
    assertPaced();
  }

  @Test
  void retrofit_waits_as_a_429_says() throws IOException {
    answer(0, "{}");

    assertThat(retrofit().all().execute().code()).isEqualTo(200);
    assertWaitedAndRepeated();
  }

  private MethodsClient slack() {
    SlackConfig config = new SlackConfig();
    // Its own counting would ask auth.test before each call.
    config.setStatsEnabled(false);
    config.setMethodsEndpointUrlPrefix(server.url("/api/").toString());
    return Slack.getInstance(config, new SlackHttpClient(client)).methods("xoxb-secret");
  }

  @Test
  void slack_keeps_a_shared_limit() throws Exception {
    answer(-1, "{\"ok\":true}");
    MethodsClient slack = slack();

    for (int i = 0; i < CALLS; i++) {
      assertThat(slack.chatPostMessage(r -> r.channel("C1").text("hello")).isOk()).isTrue();
    }

    assertPaced();
  }

  @Test
  void slack_waits_as_a_429_says() throws Exception {
    answer(0, "{\"ok\":true}");

    assertThat(slack().chatPostMessage(r -> r.channel("C1").text("hello")).isOk()).isTrue();
    assertWaitedAndRepeated();
  }

  private GitHub github() throws IOException {
    return new GitHubBuilder()
        .withEndpoint(server.url("").toString().replaceAll("/$", ""))
        .withConnector(new OkHttpGitHubConnector(client))
        .build();
  }

  @Test
  void github_keeps_a_shared_limit() throws IOException {
    answer(-1, "{\"login\":\"octocat\",\"id\":1}");
    GitHub github = github();

    for (int i = 0; i < CALLS; i++) {
      // Another name each time: users are kept by name.
      assertThat(github.getUser("octocat" + i).getLogin()).isEqualTo("octocat");
    }

    assertPaced();
  }

  @Test
  void github_waits_as_a_429_says() throws IOException {
    answer(0, "{\"login\":\"octocat\",\"id\":1}");

    assertThat(github().getUser("octocat").getLogin()).isEqualTo("octocat");
    assertWaitedAndRepeated();
  }
}
