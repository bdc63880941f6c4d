package dev.paceline.okhttp;

import static dev.paceline.okhttp.Provider.perSecond;
import static dev.paceline.okhttp.Provider.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.Paceline;
import dev.paceline.PacelineBuilder;
import dev.paceline.okhttp.Caller.Path;
import dev.paceline.okhttp.Caller.Result;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import mockwebserver3.MockResponse;
import mockwebserver3.SocketEffect;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One layer repeats requests: OkHttp's own repeats are stopped, a second Paceline stands aside. */
@ParameterizedClass
@EnumSource(Path.class)
final class LayeringTest extends OnBothPaths {

  LayeringTest(Path path) {
    super(path);
  }

  private PacelineBuilder builder(int attempts) {
    return Paceline.builder()
        .time(time)
        .executor(Runnable::run)
        .retry(r -> r.maxAttempts(attempts))
        .upstream("api", u -> u.hosts(provider.host()).limit(perSecond(100)));
  }

  private Request post() {
    return provider
        .get("/")
        .newBuilder()
        .post(RequestBody.create("x", null))
        .header("Idempotency-Key", "k")
        .build();
  }

  // LA-02
  @ParameterizedTest
  @CsvSource({"503,0,3", "503,0,1", "408,0,1", "408,,1", "408,,3", "503,00,2"})
  void okhttp_repeats_nothing_by_itself(int code, String retryAfter, int attempts) {
    provider.answers(retryAfter == null ? status(code) : status(code, "Retry-After", retryAfter));
    Paceline paceline = builder(attempts).build();
    Result result = caller(paceline).call(post());
    assertThat(result.status()).isEqualTo(code);
    assertThat(result.response().header("Retry-After")).isEqualTo(retryAfter);
    assertThat(provider.count()).isEqualTo(attempts);
    assertThat(paceline.stats().attempts()).isEqualTo(attempts);
    assertThat(paceline.stats().retries()).isEqualTo(attempts - 1);
  }

  @ParameterizedTest
  @CsvSource({
    "503,9999999999",
    "408,9999999999",
    "503,99999999999999999999999999",
    "408,2147483648"
  })
  void a_retry_after_that_okhttp_cannot_read_is_a_normal_response(int code, String retryAfter) {
    provider.answers(Provider.body(code, "later", "Retry-After", retryAfter));
    Result result = caller(builder(1).build()).call(provider.get("/"));
    assertThat(result.error()).isNull();
    assertThat(result.status()).isEqualTo(code);
    assertThat(result.body()).isEqualTo("later");
    assertThat(result.response().headers("Retry-After")).isEqualTo(List.of(retryAfter));
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 407})
  void authentication_that_never_ends_is_bounded(int code) {
    provider.answers(status(code, "WWW-Authenticate", "Basic"));
    AtomicInteger asked = new AtomicInteger();
    Paceline paceline = builder(4).build();
    Caller caller =
        caller(
            paceline,
            new OkHttpClient.Builder()
                .authenticator(
                    (route, response) -> {
                      asked.incrementAndGet();
                      return response.request().newBuilder().header("Authorization", "x").build();
                    }));
    Result result = caller.call(provider.get("/"));
    if (code == 401) {
      assertThat(result.status()).isEqualTo(401);
      assertThat(asked).hasValue(3);
      assertThat(provider.count()).isEqualTo(4);
      assertThat(paceline.stats().permits()).isEqualTo(4);
    } else {
      // OkHttp takes it for an error: no proxy has asked.
      assertThat(result.error()).isInstanceOf(java.net.ProtocolException.class);
      assertThat(provider.count()).isEqualTo(1);
    }
  }

  // LA-01
  @Test
  void a_client_that_carries_on_the_calls_of_another_stands_aside() {
    provider.answers(status(429));
    Paceline inner = builder(4).build();
    OkHttpClient innerClient = PacelineOkHttp.install(new OkHttpClient.Builder(), inner).build();
    Paceline outer = builder(4).build();
    Caller caller =
        caller(
            outer,
            new OkHttpClient.Builder()
                .addInterceptor(
                    chain ->
                        innerClient
                            .newCall(chain.request().newBuilder().header("X-Added", "1").build())
                            .execute()));
    assertThat(caller.call(provider.get("/")).status()).isEqualTo(429);
    assertThat(provider.count()).isEqualTo(4);
    assertThat(outer.stats().attempts()).isEqualTo(4);
    assertThat(outer.stats().permits() - outer.stats().permitsGivenBack()).isEqualTo(4);
    assertThat(inner.stats().permits()).isZero();
  }

  // LA-01
  @Test
  void a_second_paceline_on_the_same_client_stands_aside() {
    provider.answers(status(429));
    Paceline first = builder(4).build();
    Paceline second = builder(4).build();
    OkHttpClient.Builder client = PacelineOkHttp.install(new OkHttpClient.Builder(), second);
    Caller caller = caller(first, client);
    assertThat(caller.call(provider.get("/")).status()).isEqualTo(429);
    assertThat(provider.count()).isEqualTo(4);
    assertThat(second.stats().permits()).isZero();
    assertThat(first.stats().permits()).isEqualTo(4);
  }

  // LA-07
  @Test
  void an_interceptors_own_exception_is_not_repeated() {
    AtomicInteger tries = new AtomicInteger();
    Caller caller =
        caller(
            builder(4).build(),
            new OkHttpClient.Builder()
                .addNetworkInterceptor(
                    chain -> {
                      tries.incrementAndGet();
                      throw new IOException("throttled");
                    }));
    assertThat(caller.call(provider.get("/")).error()).hasMessage("throttled");
    assertThat(tries).hasValue(1);
  }

  // LA-07
  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST"})
  void refused_streams_are_repeated_up_to_the_attempts(String method) throws IOException {
    try (Provider http2 = new Provider(time::nanoTime, List.of(Protocol.H2_PRIOR_KNOWLEDGE))) {
      MockResponse refusing =
          new MockResponse.Builder().onRequestStart(new SocketEffect.CloseStream(7)).build();
      http2.before(refusing);
      AtomicInteger started = new AtomicInteger();
      Caller caller =
          caller(
              builder(3).build(),
              new OkHttpClient.Builder()
                  .protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE))
                  .eventListener(
                      new okhttp3.EventListener() {
                        @Override
                        public void requestHeadersStart(okhttp3.Call call) {
                          started.incrementAndGet();
                        }
                      }));
      RequestBody body = method.equals("POST") ? RequestBody.create("x", null) : null;
      Request request = http2.get("/").newBuilder().method(method, body).build();
      Result result = caller.call(request);
      assertThat(result.error()).hasStackTraceContaining("REFUSED_STREAM");
      assertThat(started).hasValue(3);
    }
  }

  @Test
  void the_interceptor_alone_charges_what_it_cannot_stop() throws IOException {
    provider.answers(
        status(302, "Location", "/b"),
        status(503, "Retry-After", "0"),
        status(503, "Retry-After", "0"));
    Paceline paceline =
        Paceline.builder()
            .time(time)
            .executor(Runnable::run)
            .retry(r -> r.maxAttempts(1))
            .upstream("api", u -> u.hosts(provider.host()).limit(perSecond(1)))
            .build();
    OkHttpClient client =
        new OkHttpClient.Builder().addInterceptor(new PacelineInterceptor(paceline)).build();
    assertThat(Caller.blocking(client.newCall(provider.get("/"))).status()).isEqualTo(503);
    assertThat(provider.count()).isEqualTo(3);
    assertThat(paceline.stats().attempts()).isEqualTo(3);
    assertThat(time.elapsed()).isZero();
    provider.answers(status(200));
    assertThat(Caller.blocking(client.newCall(provider.get("/"))).status()).isEqualTo(200);
    assertThat(time.elapsed().toMillis()).isEqualTo(3_000);
  }

  @Test
  void the_interceptor_alone_makes_an_io_exception_of_what_okhttp_throws() throws IOException {
    provider.answers(status(503, "Retry-After", "9999999999"));
    OkHttpClient client =
        new OkHttpClient.Builder()
            .addInterceptor(new PacelineInterceptor(builder(1).build()))
            .build();
    assertThat(Caller.blocking(client.newCall(provider.get("/"))).error())
        .isInstanceOf(IOException.class);
  }
}
