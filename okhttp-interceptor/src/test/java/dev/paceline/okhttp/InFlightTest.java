package dev.paceline.okhttp;

import static dev.paceline.okhttp.Provider.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paceline.Paceline;
import dev.paceline.TooManyInFlightException;
import dev.paceline.limit.Limit;
import dev.paceline.okhttp.Caller.Path;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.SocketEffect;
import okhttp3.Cache;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A call is in flight until its response is closed, or it fails; and then it is not. */
@ParameterizedClass
@EnumSource(Path.class)
final class InFlightTest extends OnBothPaths {

  private static final Limit FAST = Provider.perSecond(10_000).burst(1_000);

  InFlightTest(Path path) {
    super(path);
  }

  private Paceline oneInFlight() {
    return paceline(
        u -> u.limit(FAST).inFlight(1),
        settings -> settings.maxWait(Duration.ofSeconds(2)).retry(r -> r.maxAttempts(2)));
  }

  private static Response answer(Call call, Path path) throws Exception {
    if (path == Path.BLOCKING) {
      return call.execute();
    }
    CompletableFuture<Response> answer = new CompletableFuture<>();
    call.enqueue(
        new Callback() {
          @Override
          public void onFailure(Call failed, IOException e) {
            answer.completeExceptionally(e);
          }

          @Override
          public void onResponse(Call answered, Response response) {
            answer.complete(response);
          }
        });
    return answer.get(20, TimeUnit.SECONDS);
  }

  private Call call(Caller caller, String to) {
    Request request = provider.get(to);
    return path == Path.BLOCKING ? caller.client.newCall(request) : caller.factory.newCall(request);
  }

  @Test
  void open_response_keeps_others_out_and_closing_it_lets_the_next_in() throws Exception {
    Paceline paceline = oneInFlight();
    Caller caller = caller(paceline);
    Response open = answer(call(caller, "/"), path);
    assertThat(paceline.stats().inFlight()).isEqualTo(1);
    assertThat(caller.call(provider.get("/")).error())
        .isInstanceOf(TooManyInFlightException.class)
        .hasMessageContaining("api/*/*")
        .hasMessageContaining("at most 1 at once");
    assertThat(provider.count()).isEqualTo(1);

    open.close();
    open.close();
    assertThat(paceline.stats().inFlight()).isZero();
    assertThat(caller.call(provider.get("/")).status()).isEqualTo(200);
  }

  @Test
  void body_that_was_read_to_the_end_is_a_call_that_is_over() throws Exception {
    Paceline paceline = oneInFlight();
    Response response = answer(call(caller(paceline), "/"), path);
    assertThat(response.body().source().readUtf8()).isEqualTo("status 200");
    assertThat(paceline.stats().inFlight()).isZero();
    response.close();
  }

  @Test
  void cancelling_ends_the_flight_of_an_open_response() throws Exception {
    Paceline paceline = oneInFlight();
    Call call = call(caller(paceline), "/");
    Response response = answer(call, path);
    call.cancel();
    assertThat(paceline.stats().inFlight()).isZero();
    response.close();
    assertThat(paceline.stats().inFlight()).isZero();
  }

  @Test
  void a_call_that_fails_is_over() {
    Paceline paceline = oneInFlight();
    provider.answer(
        r -> new MockResponse.Builder().onResponseStart(new SocketEffect.CloseSocket()).build());
    Caller caller = caller(paceline);
    assertThat(caller.call(provider.get("/")).error()).isInstanceOf(IOException.class);
    assertThat(paceline.stats().inFlight()).isZero();
    assertThat(paceline.stats().permits()).isEqualTo(2);
  }

  @Test
  void attempts_of_one_call_do_not_wait_for_each_other() {
    Paceline paceline = oneInFlight();
    provider.answers(status(503, "Retry-After", "1"), status(200));
    assertThat(caller(paceline).call(provider.get("/")).status()).isEqualTo(200);
    assertThat(paceline.stats().inFlight()).isZero();
  }

  @Test
  void a_redirect_does_not_wait_for_the_response_that_it_follows() {
    Paceline paceline = oneInFlight();
    provider.answers(status(302, "Location", "/there"), status(200));
    assertThat(caller(paceline).call(provider.get("/")).status()).isEqualTo(200);
    assertThat(provider.count()).isEqualTo(2);
    assertThat(paceline.stats().inFlight()).isZero();
  }

  @Test
  void an_answer_from_the_cache_is_not_in_flight(@TempDir File directory) throws Exception {
    Paceline paceline = oneInFlight();
    provider.answers(status(200, "Cache-Control", "max-age=60"));
    OkHttpClient.Builder client = new OkHttpClient.Builder().cache(new Cache(directory, 1_000_000));
    Caller caller = caller(paceline, client);
    assertThat(caller.call(provider.get("/cached")).status()).isEqualTo(200);
    Response open = answer(call(caller, "/cached"), path);
    assertThat(open.networkResponse()).isNull();
    assertThat(paceline.stats().inFlight()).isZero();
    open.close();
    assertThat(provider.count()).isEqualTo(1);
  }

  @Test
  void an_interceptor_that_throws_leaves_nothing_in_flight() {
    Paceline paceline = oneInFlight();
    Caller caller =
        caller(
            paceline,
            new OkHttpClient.Builder()
                .addInterceptor(
                    chain -> {
                      throw new IOException("no key to sign with");
                    }));
    assertThat(caller.call(provider.get("/")).error()).hasMessage("no key to sign with");
    assertThat(paceline.stats().inFlight()).isZero();
  }

  @Test
  void closing_a_response_twice_or_late_frees_nobody_elses_place() throws Exception {
    Paceline paceline = oneInFlight();
    Caller caller = caller(paceline);
    Call first = call(caller, "/");
    Response open = answer(first, path);
    first.cancel();
    Response second = answer(call(caller, "/"), path);
    open.close();
    assertThat(paceline.stats().inFlight()).isEqualTo(1);
    assertThatThrownBy(() -> paceline.limiter("api").acquire())
        .isInstanceOf(TooManyInFlightException.class);
    second.close();
  }
}
