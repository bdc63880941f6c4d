package dev.paceline.okhttp;

import static dev.paceline.okhttp.Provider.perSecond;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paceline.Paceline;
import dev.paceline.PacelineException;
import dev.paceline.WaitTooLongException;
import dev.paceline.limit.Limit;
import dev.paceline.testkit.VirtualTime;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import okhttp3.Cache;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every request on the wire is paid for, once, on the host that it goes to. */
final class PacingTest {

  private final VirtualTime time = VirtualTime.autoAdvancing();
  private Provider provider;
  private Provider other;

  @BeforeEach
  void start() throws IOException {
    provider = new Provider(time::nanoTime);
    other = new Provider(time::nanoTime);
  }

  @AfterEach
  void stop() {
    provider.close();
    other.close();
  }

  private Paceline paceline(Limit limit) {
    return Paceline.builder()
        .time(time)
        .executor(Runnable::run)
        .upstream("api", u -> u.hosts(provider.host()).limit(limit))
        .build();
  }

  private static OkHttpClient client(Paceline paceline) {
    return PacelineOkHttp.install(new OkHttpClient.Builder(), paceline).build();
  }

  private static int get(OkHttpClient client, Request request) throws IOException {
    try (Response response = client.newCall(request).execute()) {
      return response.code();
    }
  }

  @Test
  void calls_leave_one_interval_apart() throws Exception {
    OkHttpClient client = client(paceline(perSecond(10)));
    for (int i = 0; i < 4; i++) {
      assertThat(get(client, provider.get("/"))).isEqualTo(200);
    }
    assertThat(provider.gapsMillis()).containsExactly(100L, 100L, 100L);
  }

  @Test
  void hosts_without_an_upstream_pass_untouched() throws Exception {
    Paceline paceline =
        Paceline.builder().time(time).upstream("x", u -> u.hosts("x.example")).build();
    OkHttpClient client = client(paceline);
    assertThat(get(client, provider.get("/"))).isEqualTo(200);
    assertThat(paceline.stats().permits()).isZero();
  }

  // LA-04
  @Test
  void redirects_are_paced_and_paid_for() throws Exception {
    provider.answers(
        Provider.status(302, "Location", "/b"),
        Provider.status(302, "Location", "/c"),
        Provider.status(200));
    Paceline paceline = paceline(perSecond(1));
    assertThat(get(client(paceline), provider.get("/a"))).isEqualTo(200);
    assertThat(provider.gapsMillis()).containsExactly(1_000L, 1_000L);
    assertThat(paceline.stats().permits()).isEqualTo(3);
    assertThat(paceline.stats().permitsGivenBack()).isZero();
  }

  // LA-04
  @Test
  void a_hop_to_another_host_is_charged_there() throws Exception {
    String otherUrl = other.url("/b").newBuilder().host("127.0.0.1").build().toString();
    provider.answers(Provider.status(302, "Location", otherUrl));
    Paceline paceline =
        Paceline.builder()
            .time(time)
            .executor(Runnable::run)
            .upstream("api", u -> u.hosts(provider.host()).limit(perSecond(1)))
            .upstream("other", u -> u.hosts("127.0.0.1").limit(perSecond(1)))
            .build();
    OkHttpClient client = client(paceline);
    assertThat(get(client, provider.get("/a"))).isEqualTo(200);
    assertThat(time.elapsed()).isZero();
    assertThat(paceline.limiter("api").tryAcquire()).isFalse();
    assertThat(paceline.limiter("other").tryAcquire()).isFalse();
  }

  // LA-04
  @Test
  void a_hop_to_an_unlimited_host_is_free() throws Exception {
    String otherUrl = other.url("/b").newBuilder().host("127.0.0.1").build().toString();
    provider.answers(Provider.status(302, "Location", otherUrl));
    Paceline paceline = paceline(perSecond(1));
    assertThat(get(client(paceline), provider.get("/a"))).isEqualTo(200);
    assertThat(paceline.stats().permits()).isEqualTo(1);
    assertThat(time.elapsed()).isZero();
  }

  @Test
  void an_authentication_round_is_paid_for() throws Exception {
    provider.answers(Provider.status(401), Provider.status(200));
    Paceline paceline = paceline(perSecond(1));
    OkHttpClient client =
        PacelineOkHttp.install(new OkHttpClient.Builder(), paceline)
            .authenticator(
                (route, response) ->
                    response.request().newBuilder().header("Authorization", "x").build())
            .build();
    assertThat(get(client, provider.get("/"))).isEqualTo(200);
    assertThat(provider.gapsMillis()).containsExactly(1_000L);
  }

  // LA-05
  @Test
  void cache_hits_cost_nothing_and_a_304_costs_one(@TempDir File folder) throws Exception {
    provider.answers(Provider.status(200, "Cache-Control", "max-age=60", "ETag", "\"1\""));
    Paceline paceline = paceline(perSecond(1));
    OkHttpClient client =
        PacelineOkHttp.install(new OkHttpClient.Builder(), paceline)
            .cache(new Cache(folder, 1_000_000))
            .build();
    for (int i = 0; i < 10; i++) {
      assertThat(get(client, provider.get("/"))).isEqualTo(200);
    }
    assertThat(provider.count()).isEqualTo(1);
    assertThat(time.elapsed()).isLessThan(Duration.ofMillis(300));
    assertThat(paceline.stats().permits() - paceline.stats().permitsGivenBack()).isEqualTo(1);
    provider.answers(Provider.status(304));
    Request revalidated =
        provider.get("/").newBuilder().header("Cache-Control", "max-age=0").build();
    assertThat(get(client, revalidated)).isEqualTo(200);
    assertThat(paceline.stats().permits() - paceline.stats().permitsGivenBack()).isEqualTo(2);
  }

  @Test
  void a_call_that_reached_nobody_costs_nothing() {
    Paceline paceline =
        Paceline.builder()
            .time(time)
            .executor(Runnable::run)
            .retry(r -> r.maxAttempts(1))
            .upstream("dead", u -> u.hosts("127.0.0.1").limit(perSecond(1)))
            .build();
    int port = provider.server.getPort();
    provider.close();
    OkHttpClient client = client(paceline);
    Request request = new Request.Builder().url("http://127.0.0.1:" + port + "/").build();
    assertThatThrownBy(() -> get(client, request)).isInstanceOf(IOException.class);
    assertThat(paceline.limiter("dead").tryAcquire()).isTrue();
  }

  // WB-04
  @Test
  void a_wait_that_cannot_fit_fails_at_once_and_costs_no_permit() throws Exception {
    OkHttpClient client = client(paceline(Limit.of(1).per(Duration.ofSeconds(30))));
    assertThat(get(client, provider.get("/"))).isEqualTo(200);
    assertThatThrownBy(() -> get(client, provider.get("/")))
        .isInstanceOf(WaitTooLongException.class)
        .extracting(e -> ((PacelineException) e).retryAfter().orElseThrow())
        .isEqualTo(Duration.ofSeconds(30));
    assertThat(time.elapsed()).isZero();
    time.advance(Duration.ofSeconds(30));
    assertThat(get(client, provider.get("/"))).isEqualTo(200);
  }

  // WB-07
  @Test
  void a_wait_longer_than_the_call_timeout_fails_at_once() throws Exception {
    OkHttpClient client =
        client(paceline(Limit.of(1).per(Duration.ofSeconds(2))))
            .newBuilder()
            .callTimeout(Duration.ofMillis(500))
            .build();
    assertThat(get(client, provider.get("/"))).isEqualTo(200);
    long before = System.nanoTime();
    assertThatThrownBy(() -> get(client, provider.get("/")))
        .isInstanceOf(WaitTooLongException.class)
        .hasMessageContaining("2.000 s");
    assertThat(System.nanoTime() - before).isLessThan(200_000_000L);
    assertThat(provider.count()).isEqualTo(1);
  }

  @Test
  void options_of_a_call_ride_on_its_request() throws Exception {
    Paceline paceline =
        Paceline.builder()
            .time(time)
            .executor(Runnable::run)
            .upstream(
                "llm",
                u ->
                    u.hosts(provider.host())
                        .limit(perSecond(100).tokenBucket().unit("tokens").named("tokens")))
            .build();
    OkHttpClient client = client(paceline);
    Request.Builder request = provider.get("/").newBuilder();
    CallOptions options = CallOptions.standard().cost("tokens", 100).owner("a");
    assertThat(get(client, options.on(request).build())).isEqualTo(200);
    assertThat(get(client, options.owner("b").on(request).build())).isEqualTo(200);
    assertThat(time.elapsed()).isZero();
    assertThat(get(client, options.on(request).build())).isEqualTo(200);
    assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void installing_twice_paces_once() throws Exception {
    Paceline paceline = paceline(perSecond(1));
    OkHttpClient client =
        PacelineOkHttp.install(client(paceline).newBuilder(), paceline)
            .addInterceptor(new PacelineInterceptor(paceline))
            .build();
    assertThat(get(client, provider.get("/"))).isEqualTo(200);
    assertThat(paceline.stats().permits()).isEqualTo(1);
    assertThat(client.interceptors()).hasSize(2);
  }
}
