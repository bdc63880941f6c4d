package dev.paceline.okhttp;

import static dev.paceline.okhttp.Provider.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.Paceline;
import dev.paceline.okhttp.Caller.Result;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import mockwebserver3.MockResponse;
import okhttp3.Call;
import okhttp3.Connection;
import okhttp3.ConnectionPool;
import okhttp3.EventListener;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okio.Buffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No response and no connection is lost, in real time. */
@Tag("blocking")
final class LifecycleTest {

  private static final long SEED = 20_260_101;

  private Provider provider;
  private Paceline paceline;
  private OkHttpClient client;
  private PacelineCallFactory calls;

  @BeforeEach
  void start() throws IOException {
    provider = new Provider(System::nanoTime);
    paceline =
        Paceline.builder()
            .retry(r -> r.fullJitter(Duration.ofMillis(60), Duration.ofMillis(60)).withoutBudget())
            .upstream(
                "api",
                u ->
                    u.hosts(provider.host())
                        .scopedBy(request -> request.header("Tenant"))
                        .limit(Provider.perSecond(100_000).burst(10_000)))
            .build();
    client =
        PacelineOkHttp.install(
                new OkHttpClient.Builder()
                    .connectionPool(new ConnectionPool(64, 1, TimeUnit.MINUTES)),
                paceline)
            .build();
    client.dispatcher().setMaxRequestsPerHost(64);
    calls = PacelineCallFactory.of(client, paceline);
  }

  @AfterEach
  void stop() {
    paceline.close();
    provider.close();
    client.dispatcher().executorService().shutdown();
  }

  // BL-05
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void calls_that_are_repeated_in_parallel_leave_no_response_open(boolean factory)
      throws Exception {
    Map<String, AtomicInteger> attempts = new ConcurrentHashMap<>();
    provider.answer(
        request -> {
          String call = request.getHeaders().get("Call");
          int attempt = attempts.computeIfAbsent(call, c -> new AtomicInteger()).incrementAndGet();
          return Provider.body(attempt < 3 ? 503 : 200, "x".repeat(1_024));
        });
    try (Leaks leaks = new Leaks()) {
      List<CompletableFuture<Result>> ended = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        Request request =
            provider.get("/").newBuilder().header("Call", Integer.toString(i)).build();
        ended.add(Caller.start((factory ? calls : client).newCall(request)));
      }
      for (CompletableFuture<Result> call : ended) {
        assertThat(call.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
      }
      assertThat(provider.count()).isEqualTo(300);
      assertThat(client.connectionPool().connectionCount()).isLessThanOrEqualTo(64);
      leaks.assertNone(client);
    }
  }

  // BL-07
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void calls_that_are_cancelled_as_their_response_comes_leave_nothing_behind(boolean factory)
      throws Exception {
    Map<String, Call> started = new ConcurrentHashMap<>();
    Random random = new Random(SEED);
    int answered = 0;
    try (Leaks leaks = new Leaks();
        Canceller canceller = new Canceller()) {
      // The response leaves 2 ms after its request came, the cancel within 2 ms of that.
      provider.answer(
          request -> {
            int micros;
            synchronized (random) {
              micros = random.nextInt(4_000);
            }
            canceller.cancel(started.get(request.getHeaders().get("Call")), micros);
            return Provider.body(200, "x".repeat(2_000))
                .newBuilder()
                .headersDelay(2, TimeUnit.MILLISECONDS)
                .build();
          });
      for (int round = 0; round < 50; round++) {
        List<CompletableFuture<Result>> ended = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          String name = round + "." + i;
          Request request = provider.get("/").newBuilder().header("Call", name).build();
          Call call = (factory ? calls : client).newCall(request);
          started.put(name, call);
          ended.add(Caller.start(call));
        }
        for (CompletableFuture<Result> call : ended) {
          answered += call.get(20, TimeUnit.SECONDS).error() == null ? 1 : 0;
        }
      }
      leaks.assertNone(client);
    }
    // Otherwise the cancels did not come around the responses.
    assertThat(answered).isBetween(20, 980);
  }

  /** Cancels calls at instants that a timer alone would not meet. */
  private static final class Canceller implements AutoCloseable {
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(4);

    void cancel(Call call, long micros) {
      var unused = timer.schedule(call::cancel, micros, TimeUnit.MICROSECONDS);
    }

    @Override
    public void close() {
      timer.shutdownNow();
    }
  }

  // BL-08
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_call_that_waits_for_a_retry_holds_no_connection(boolean factory) throws Exception {
    provider.answers(status(503, "Retry-After", "2"), status(200));
    List<Connection> open = new CopyOnWriteArrayList<>();
    Call.Factory way = factory ? calls : client;
    Request first = provider.get("/").newBuilder().header("Tenant", "a").build();
    Call waiting = way.newCall(first);
    waiting.addEventListener(
        new EventListener() {
          @Override
          public void connectionAcquired(Call call, Connection connection) {
            open.add(connection);
          }
        });
    CompletableFuture<Result> waits = Caller.start(waiting);
    long until = System.nanoTime() + 5_000_000_000L;
    while (paceline.stats().queued() == 0 && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    if (factory) {
      assertThat(client.connectionPool().idleConnectionCount()).isEqualTo(1);
    } else {
      until = System.nanoTime() + 1_000_000_000L;
      while (!open.get(0).socket().isClosed() && System.nanoTime() < until) {
        Thread.onSpinWait();
      }
      assertThat(open.get(0).socket().isClosed()).isTrue();
    }
    long began = System.nanoTime();
    Request second = provider.get("/").newBuilder().header("Tenant", "b").build();
    assertThat(Caller.start(way.newCall(second)).get(5, TimeUnit.SECONDS).status()).isEqualTo(200);
    assertThat(System.nanoTime() - began).isLessThan(500_000_000L);
    assertThat(waits).isNotDone();
    assertThat(waits.get(5, TimeUnit.SECONDS).status()).isEqualTo(200);
  }

  // BL-04
  @Test
  void of_a_long_refused_body_little_is_read() throws Exception {
    Buffer huge = new Buffer().write(new byte[1 << 20]);
    for (int i = 0; i < 5; i++) {
      huge.writeAll(huge.copy());
    }
    MockResponse refused = new MockResponse.Builder().code(503).body(huge.copy()).build();
    provider.answers(refused, status(200));
    AtomicInteger read = new AtomicInteger();
    OkHttpClient counting =
        client
            .newBuilder()
            .socketFactory(new CountingSockets(read))
            .connectionPool(new ConnectionPool())
            .build();
    assertThat(Caller.blocking(counting.newCall(provider.get("/"))).status()).isEqualTo(200);
    // The 64 KiB, the headers, and what one read of a socket takes beyond them.
    assertThat(read.get()).isLessThan(65_536 + 3 * 8_192);
  }
}
