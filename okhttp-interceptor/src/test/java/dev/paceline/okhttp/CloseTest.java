package dev.paceline.okhttp;

import static dev.paceline.okhttp.Provider.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.Paceline;
import dev.paceline.PacelineClosedException;
import dev.paceline.limit.Limit;
import dev.paceline.okhttp.Caller.Result;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of calls when Paceline is closed, as the page on failure modes says. */
final class CloseTest {

  private final Provider provider = new Provider(System::nanoTime);
  private final Paceline paceline =
      Paceline.builder()
          .maxWait(Duration.ofMinutes(5))
          .upstream(
              "slow",
              u -> u.hosts(provider.host()).limit(Limit.of(1).per(Duration.ofMinutes(1)).burst(2)))
          .build();
  private final OkHttpClient client =
      PacelineOkHttp.install(new OkHttpClient.Builder(), paceline).build();
  private final PacelineCallFactory calls = PacelineCallFactory.of(client, paceline);

  CloseTest() throws IOException {}

  @AfterEach
  void stop() {
    paceline.close();
    provider.close();
    client.dispatcher().executorService().shutdown();
  }

  private CompletableFuture<Result> start(boolean factory, Request request) {
    Call call = (factory ? calls : client).newCall(request);
    return Caller.start(call);
  }

  private static Result of(CompletableFuture<Result> call) throws Exception {
    return call.get(10, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void who_waits_or_comes_is_refused_and_who_is_on_the_wire_gets_the_response(boolean factory)
      throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    provider.answer(
        request -> {
          arrived.countDown();
          await(closed);
          return status(200);
        });
    CompletableFuture<Result> sent = start(factory, provider.get("/"));
    await(arrived);
    paceline.limiter("slow").acquire();
    CompletableFuture<Result> waiting = start(factory, provider.get("/"));
    await(() -> paceline.stats().queued() == 1);

    paceline.close();
    closed.countDown();

    assertThat(of(waiting).error()).isInstanceOf(PacelineClosedException.class);
    assertThat(of(sent).status()).isEqualTo(200);
    assertThat(of(start(factory, provider.get("/"))).error())
        .isInstanceOf(PacelineClosedException.class);
    assertThat(provider.count()).isEqualTo(1);
    Request elsewhere =
        new Request.Builder().url(provider.url("/").newBuilder().host("127.0.0.1").build()).build();
    assertThat(of(start(factory, elsewhere)).status()).as("no upstream").isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void who_waits_to_be_repeated_is_refused(boolean factory) throws Exception {
    provider.answers(status(429, "Retry-After", "60"));
    CompletableFuture<Result> told = start(factory, provider.get("/"));
    await(() -> paceline.stats().retries() == 1);

    paceline.close();

    assertThat(of(told).error()).isInstanceOf(PacelineClosedException.class);
    assertThat(provider.count()).isEqualTo(1);
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + 10_000_000_000L;
    while (!condition.getAsBoolean() && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
