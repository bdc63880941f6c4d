package dev.paceline.okhttp;

import static dev.paceline.okhttp.Provider.perSecond;
import static dev.paceline.okhttp.Provider.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.Paceline;
import dev.paceline.PacelineBuilder;
import dev.paceline.okhttp.Caller.Path;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What many calls together put on the wire when a provider fails or refuses. */
@ParameterizedClass
@EnumSource(Path.class)
final class RetryLoadTest extends OnBothPaths {

  private static final int CALLS = 1_000;

  RetryLoadTest(Path path) {
    super(path);
  }

  private PacelineBuilder builder() {
    return Paceline.builder().time(time).executor(Runnable::run).maxWait(Duration.ofHours(1));
  }

  // BU-04
  @Test
  void a_thousand_failing_calls_put_little_more_than_a_thousand_requests_on_the_wire() {
    provider.answers(status(503));
    Paceline paceline =
        builder()
            .retry(r -> r.maxAttempts(4).budget(0.1).floorPerSecond(0.2))
            .upstream("failing", u -> u.hosts(provider.host()).limit(perSecond(100)))
            .upstream("healthy", u -> u.hosts("127.0.0.1"))
            .build();
    Caller caller = caller(paceline);
    for (int i = 0; i < CALLS; i++) {
      assertThat(caller.call(provider.get("/")).status()).isEqualTo(503);
    }
    long seconds = time.elapsed().toSeconds() + 1;
    assertThat(provider.count()).isBetween(CALLS + 10, CALLS + 10 + (int) (0.2 * seconds));

    // The other upstream of the client has its own budget.
    int before = provider.count();
    provider.answers(status(503), status(200));
    Request healthy =
        provider
            .get("/")
            .newBuilder()
            .url(provider.url("/").newBuilder().host("127.0.0.1").build())
            .build();
    assertThat(caller.call(healthy).status()).isEqualTo(200);
    assertThat(provider.count()).isEqualTo(before + 2);

    // A day without a call saves up no more than one free retry.
    time.advance(Duration.ofDays(1));
    before = provider.count();
    provider.answers(status(503));
    for (int i = 0; i < 20; i++) {
      caller.call(provider.get("/"));
    }
    assertThat(provider.count() - before).isBetween(20, 21);

    // It works again: successes pay for retries.
    provider.answers(status(200));
    for (int i = 0; i < 20; i++) {
      caller.call(provider.get("/"));
    }
    provider.answers(status(503), status(200));
    assertThat(caller.call(provider.get("/")).status()).isEqualTo(200);
  }

  // BU-05
  @Test
  void callers_who_ask_again_and_again_stay_paced_without_a_budget() {
    provider.answers(status(503));
    Paceline paceline =
        builder()
            .retry(r -> r.maxAttempts(4).budget(0).floorPerSecond(0))
            .upstream("api", u -> u.hosts(provider.host()).limit(perSecond(50)))
            .build();
    Caller caller = caller(paceline);
    int calls = 0;
    while (time.elapsed().toSeconds() < 10) {
      caller.call(provider.get("/"));
      calls++;
    }
    // The refusals slow the schedule further.
    assertThat(calls).isGreaterThan(50);
    assertThat(provider.count()).isLessThanOrEqualTo(50 * 10 + 1);
    assertThat(paceline.stats().retries()).isEqualTo(10);
  }

  // BJ-08
  @Test
  void callers_who_meet_a_refusal_together_come_back_at_the_pace() {
    provider.answer(
        request ->
            time.elapsed().toMillis() < 2_000 ? status(429, "Retry-After", "2") : status(200));
    Paceline paceline =
        builder().upstream("api", u -> u.hosts(provider.host()).limit(perSecond(10))).build();
    Caller caller = caller(paceline);
    List<CompletableFuture<Caller.Result>> results = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      results.add(Caller.start(caller.factory.newCall(provider.get("/"))));
    }
    for (CompletableFuture<Caller.Result> result : results) {
      caller.drive(result);
      assertThat(result.join().status()).isEqualTo(200);
    }
    List<Long> gaps = provider.gapsMillis();
    assertThat(gaps).hasSize(20);
    assertThat(gaps.get(0)).isGreaterThanOrEqualTo(2_000);
    assertThat(gaps.subList(1, 20)).allSatisfy(gap -> assertThat(gap).isGreaterThanOrEqualTo(99));
  }

  // LA-08
  @Test
  void a_post_without_retries_reaches_the_second_address_of_a_host_whose_first_is_dead()
      throws IOException {
    provider.answers(status(200));
    InetAddress dead = InetAddress.getByAddress(new byte[] {127, 0, 0, 9});
    InetAddress alive = InetAddress.getByName(provider.host());
    Paceline paceline =
        builder()
            .retry(r -> r.maxAttempts(1))
            .upstream("api", u -> u.hosts("two.example").limit(perSecond(10)))
            .build();
    Caller caller = caller(paceline, new OkHttpClient.Builder().dns(name -> List.of(dead, alive)));
    Request post =
        new Request.Builder()
            .url(provider.url("/").newBuilder().host("two.example").build())
            .post(RequestBody.create("once", null))
            .build();
    Caller.Result result = caller.call(post);
    assertThat(result.error()).isNull();
    assertThat(result.status()).isEqualTo(200);
    assertThat(provider.count()).isEqualTo(1);
  }
}
