package dev.paceline.okhttp;

import static dev.paceline.okhttp.Provider.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.PacelineBuilder;
import dev.paceline.UpstreamBuilder;
import dev.paceline.feedback.Profiles;
import dev.paceline.okhttp.Caller.Path;
import dev.paceline.okhttp.Caller.Result;
import dev.paceline.retry.RetryReport;
import dev.paceline.retry.StopReason;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import mockwebserver3.SocketEffect;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okio.BufferedSink;
import okio.Okio;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A request that may have been processed is not sent twice, unless that is known to be safe. */
@ParameterizedClass
@EnumSource(Path.class)
final class WritesTest extends OnBothPaths {

  private static final RequestBody BODY = RequestBody.create("charge", null);

  WritesTest(Path path) {
    super(path);
  }

  private Caller caller(
      Consumer<UpstreamBuilder> upstream,
      Consumer<PacelineBuilder> settings,
      OkHttpClient.Builder client) {
    return caller(paceline(upstream, settings), client);
  }

  private Caller caller() {
    return caller(u -> {}, p -> {}, new OkHttpClient.Builder());
  }

  private Request post(RequestBody body) {
    return provider.get("/").newBuilder().post(body).build();
  }

  private static MockResponse dying() {
    return new MockResponse.Builder().onResponseStart(new SocketEffect.CloseSocket()).build();
  }

  private List<String> keys() {
    return provider.requests.stream().map(r -> r.getHeaders().get("Idempotency-Key")).toList();
  }

  // DW-01, LA-08
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void a_post_on_a_pooled_connection_that_dies_is_sent_once(int attempts) {
    Caller caller =
        caller(u -> {}, p -> p.retry(r -> r.maxAttempts(attempts)), new OkHttpClient.Builder());
    provider.answers(status(200));
    assertThat(caller.call(provider.get("/")).status()).isEqualTo(200);
    provider.answers(dying(), status(200));
    Result result = caller.call(post(BODY));
    assertThat(result.error()).isInstanceOf(IOException.class);
    assertThat(provider.requests)
        .extracting(RecordedRequest::getMethod)
        .containsExactly("GET", "POST");
  }

  @Test
  void a_get_on_a_pooled_connection_that_dies_is_sent_again() {
    Caller caller = caller();
    provider.answers(status(200));
    assertThat(caller.call(provider.get("/")).status()).isEqualTo(200);
    provider.answers(dying(), status(200));
    assertThat(caller.call(provider.get("/")).status()).isEqualTo(200);
    assertThat(provider.count()).isEqualTo(3);
  }

  // DW-02
  @Test
  void a_server_that_commits_and_then_times_out_sees_one_post() {
    Caller caller =
        caller(u -> {}, p -> {}, new OkHttpClient.Builder().readTimeout(Duration.ofMillis(100)));
    provider.answers(silent());
    Result result = caller.call(post(BODY));
    assertThat(result.error()).isInstanceOf(SocketTimeoutException.class);
    assertThat(provider.count()).isEqualTo(1);
  }

  private static MockResponse silent() {
    return new MockResponse.Builder().onResponseStart(SocketEffect.Stall.INSTANCE).build();
  }

  // DW-02
  @Test
  void with_a_key_it_sees_as_many_as_attempts_and_one_key() {
    Caller caller =
        caller(
            u -> u.mintIdempotencyKeys(),
            p -> p.retry(r -> r.maxAttempts(3)),
            new OkHttpClient.Builder().readTimeout(Duration.ofMillis(100)));
    provider.answers(silent());
    Result result = caller.call(post(BODY));
    assertThat(result.error()).cause().isInstanceOf(SocketTimeoutException.class);
    assertThat(provider.count()).isEqualTo(3);
    assertThat(keys()).doesNotContainNull();
    assertThat(keys().stream().distinct()).hasSize(1);
  }

  // DW-04
  @Test
  void the_callers_own_key_is_kept_once() {
    Caller caller = caller(u -> u.mintIdempotencyKeys(), p -> {}, new OkHttpClient.Builder());
    provider.answers(status(503), status(200));
    Request request =
        post(BODY).newBuilder().header("Idempotency-Key", "1234-5678-abcd-efg").build();
    assertThat(caller.call(request).status()).isEqualTo(200);
    assertThat(provider.requests)
        .extracting(r -> r.getHeaders().values("Idempotency-Key"))
        .containsExactly(List.of("1234-5678-abcd-efg"), List.of("1234-5678-abcd-efg"));
  }

  // DW-05
  @Test
  void a_minted_key_belongs_to_one_logical_call() {
    Caller caller = caller(u -> u.mintIdempotencyKeys(), p -> {}, new OkHttpClient.Builder());
    provider.answers(status(503), status(503), status(200));
    Request request = post(BODY);
    assertThat(caller.call(request).status()).isEqualTo(200);
    assertThat(caller.call(request).status()).isEqualTo(200);
    assertThat(keys()).hasSize(4).doesNotContainNull();
    assertThat(keys().subList(0, 3).stream().distinct()).hasSize(1);
    assertThat(keys().get(3)).isNotEqualTo(keys().get(0));
  }

  @Test
  void a_key_travels_under_the_providers_header_and_only_where_it_is_needed() {
    Caller caller =
        caller(
            u -> u.profile(Profiles.paypal()).mintIdempotencyKeys(),
            p -> {},
            new OkHttpClient.Builder());
    caller.call(post(BODY));
    caller.call(provider.get("/"));
    CallOptions without = CallOptions.standard().idempotencyKey(false);
    caller.call(without.on(post(BODY).newBuilder()).build());
    assertThat(provider.requests.get(0).getHeaders().get("PayPal-Request-Id")).isNotEmpty();
    assertThat(provider.requests.get(1).getHeaders().get("PayPal-Request-Id")).isNull();
    assertThat(provider.requests.get(2).getHeaders().get("PayPal-Request-Id")).isNull();
  }

  // RC-08
  @Test
  void a_key_that_is_still_in_use_is_asked_for_again() {
    Caller caller =
        caller(
            u -> u.profile(Profiles.stripe()).mintIdempotencyKeys(),
            p -> {},
            new OkHttpClient.Builder());
    String inUse = "{\"error\":{\"code\":\"idempotency_key_in_use\",\"type\":\"x\"}}";
    MockResponse conflict = Provider.body(409, inUse, "Content-Type", "application/json");
    provider.answers(dying(), conflict, status(200));
    assertThat(caller.call(post(BODY)).status()).isEqualTo(200);
    assertThat(provider.count()).isEqualTo(3);
    assertThat(keys().stream().distinct()).hasSize(1);
    provider.answers(Provider.body(409, "{\"error\":{\"code\":\"x\"}}"), status(200));
    assertThat(caller.call(post(BODY)).status()).isEqualTo(409);
    CallOptions without = CallOptions.standard().idempotencyKey(false);
    provider.answers(conflict, status(200));
    assertThat(caller.call(without.on(post(BODY).newBuilder()).build()).status()).isEqualTo(409);
    assertThat(provider.count()).isEqualTo(5);
  }

  @Test
  void a_post_that_never_reached_the_wire_is_sent_again() throws IOException {
    AtomicInteger tries = new AtomicInteger();
    Caller caller =
        caller(
            u -> {},
            p -> {},
            new OkHttpClient.Builder()
                .dns(
                    name -> {
                      if (tries.getAndIncrement() == 0) {
                        throw new java.net.UnknownHostException(name);
                      }
                      return okhttp3.Dns.SYSTEM.lookup(name);
                    }));
    assertThat(caller.call(post(once(new AtomicInteger()))).status()).isEqualTo(200);
    assertThat(tries).hasValue(2);
    assertThat(provider.count()).isEqualTo(1);
  }

  private static RequestBody once(AtomicInteger writes) {
    return new RequestBody() {
      @Override
      public MediaType contentType() {
        return null;
      }

      @Override
      public boolean isOneShot() {
        return true;
      }

      @Override
      public void writeTo(BufferedSink sink) throws IOException {
        writes.incrementAndGet();
        sink.writeUtf8("once");
      }
    };
  }

  // RP-02
  @Test
  void a_one_shot_body_is_written_once_and_the_refusal_is_the_callers() {
    AtomicInteger writes = new AtomicInteger();
    provider.answers(status(503, "Retry-After", "1"), status(200));
    Result result = caller().call(post(once(writes)));
    assertThat(result.status()).isEqualTo(503);
    assertThat(writes).hasValue(1);
    assertThat(provider.count()).isEqualTo(1);
    assertThat(result.response().request().tag(RetryReport.class).why())
        .isEqualTo(StopReason.BODY_NOT_REPLAYABLE);
  }

  private static RequestBody stream(InputStream from, long length) {
    return new RequestBody() {
      @Override
      public MediaType contentType() {
        return null;
      }

      @Override
      public long contentLength() {
        return length;
      }

      @Override
      public void writeTo(BufferedSink sink) throws IOException {
        sink.writeAll(Okio.source(from));
      }
    };
  }

  // RP-01
  @ParameterizedTest
  @ValueSource(longs = {-1, 1 << 20})
  void a_stream_that_is_used_up_is_not_sent_again(long length) {
    provider.answers(Provider.body(503, "sad", "Retry-After", "1"), status(200));
    InputStream from = new ByteArrayInputStream(new byte[1 << 20]);
    Result result = caller().call(post(stream(from, length)));
    assertThat(result.status()).isEqualTo(503);
    assertThat(result.body()).isEqualTo("sad");
    assertThat(provider.requests)
        .extracting(RecordedRequest::getBodySize)
        .containsExactly(1L << 20);
  }

  // RP-01
  @Test
  void a_body_that_can_be_written_again_is() {
    provider.answers(status(503, "Retry-After", "1"), status(200));
    RequestBody again =
        new RequestBody() {
          @Override
          public MediaType contentType() {
            return null;
          }

          @Override
          public void writeTo(BufferedSink sink) throws IOException {
            sink.write(new byte[1 << 20]);
          }
        };
    assertThat(caller().call(post(again)).status()).isEqualTo(200);
    assertThat(provider.requests)
        .extracting(RecordedRequest::getBodySize)
        .containsExactly(1L << 20, 1L << 20);
  }
}
