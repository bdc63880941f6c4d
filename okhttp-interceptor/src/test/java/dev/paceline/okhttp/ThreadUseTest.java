package dev.paceline.okhttp;

import static dev.paceline.okhttp.Provider.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paceline.Paceline;
import dev.paceline.WaitTooLongException;
import dev.paceline.limit.Limit;
import dev.paceline.okhttp.Caller.Result;
import dev.paceline.testing.TestThreads;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.EventListener;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that wait stand in nobody's way, in real time. */
@Tag("blocking")
final class ThreadUseTest {

  private static final Duration PROMPT = Duration.ofMillis(100);

  private Provider paused;
  private Provider healthy;
  private Paceline paceline;
  private OkHttpClient client;
  private PacelineCallFactory calls;

  @BeforeEach
  void start() throws IOException {
    paused = new Provider(System::nanoTime);
    healthy = new Provider(System::nanoTime);
    paceline =
        Paceline.builder()
            .maxWait(Duration.ofHours(3))
            .upstream(
                "paused",
                u ->
                    u.hosts(paused.host())
                        .scopedBy(request -> request.header("Tenant"))
                        .limit(Limit.of(1).per(Duration.ofSeconds(30)).burst(1)))
            .upstream(
                "healthy", u -> u.hosts("127.0.0.1").limit(Provider.perSecond(1_000).burst(50)))
            .build();
    client = PacelineOkHttp.install(new OkHttpClient.Builder(), paceline).build();
    calls = PacelineCallFactory.of(client, paceline);
  }

  @AfterEach
  void stop() {
    paceline.close();
    paused.close();
    healthy.close();
    client.dispatcher().executorService().shutdown();
  }

  private Request paused(String tenant) {
    return paused.get("/").newBuilder().header("Tenant", tenant).build();
  }

  private Request healthy() {
    return new Request.Builder()
        .url(healthy.url("/").newBuilder().host("127.0.0.1").build())
        .build();
  }

  /** Takes the only permit of a tenant. */
  private void exhaust(String tenant) {
    assertThat(Caller.blocking(client.newCall(paused(tenant))).status()).isEqualTo(200);
  }

  private void awaitQueued(long callers) {
    long until = System.nanoTime() + 10_000_000_000L;
    while (paceline.stats().queued() < callers && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    assertThat(paceline.stats().queued()).isEqualTo(callers);
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  // TH-01
  @Test
  void enqueued_calls_to_a_paused_host_hold_no_thread_and_stop_nobody() throws Exception {
    exhaust("a");
    List<Call> waiting = new ArrayList<>();
    List<CompletableFuture<Result>> ended = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Call call = calls.newCall(paused("a"));
      waiting.add(call);
      ended.add(Caller.start(call));
    }
    awaitQueued(200);
    assertThat(client.dispatcher().runningCallsCount()).isZero();
    assertThat(client.dispatcher().queuedCallsCount()).isZero();
    assertThat(parkedInPaceline()).isEmpty();
    long began = System.nanoTime();
    assertThat(Caller.start(calls.newCall(healthy())).get(5, TimeUnit.SECONDS).status())
        .isEqualTo(200);
    assertThat(Caller.start(calls.newCall(paused("b"))).get(5, TimeUnit.SECONDS).status())
        .isEqualTo(200);
    assertThat(since(began)).isLessThan(Duration.ofMillis(500));
    waiting.forEach(Call::cancel);
    assertThat(paceline.stats().queued()).isZero();
    for (CompletableFuture<Result> call : ended) {
      assertThat(call.get(5, TimeUnit.SECONDS).error()).isNotNull();
    }
    assertThat(paused.count()).isEqualTo(2);
  }

  private static List<String> parkedInPaceline() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(e -> e.getKey().getName().startsWith("OkHttp"))
        .filter(
            e ->
                Arrays.stream(e.getValue())
                    .anyMatch(frame -> frame.getClassName().startsWith("dev.paceline")))
        .map(e -> e.getKey().getName())
        .toList();
  }

  // TH-02
  @Test
  void threads_that_wait_for_one_schedule_do_not_hold_up_another() throws Exception {
    exhaust("a");
    List<Call> waiting = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Call call = client.newCall(paused("a"));
      waiting.add(call);
      TestThreads.start("waits-" + i, () -> Caller.blocking(call));
    }
    awaitQueued(2);
    CountDownLatch done = new CountDownLatch(20);
    long began = System.nanoTime();
    for (int i = 0; i < 20; i++) {
      TestThreads.start(
          "goes-" + i,
          () -> {
            if (Caller.blocking(client.newCall(healthy())).status() == 200) {
              done.countDown();
            }
          });
    }
    assertThat(done.await(5, TimeUnit.SECONDS)).isTrue();
    assertThat(since(began)).isLessThan(Duration.ofMillis(300));
    waiting.forEach(Call::cancel);
  }

  // CA-01
  @Test
  void cancelling_an_enqueued_call_that_waits_for_its_first_permit_ends_it_at_once()
      throws Exception {
    exhaust("a");
    Call call = calls.newCall(paused("a"));
    CompletableFuture<Result> ended = Caller.start(call);
    awaitQueued(1);
    long began = System.nanoTime();
    call.cancel();
    assertThat(ended.get(5, TimeUnit.SECONDS).error()).hasMessage("Canceled");
    assertThat(since(began)).isLessThan(PROMPT);
    assertThat(call.isCanceled()).isTrue();
    assertThat(paused.count()).isEqualTo(1);
    assertThat(paceline.stats().queued()).isZero();
  }

  // CA-01
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void cancelling_a_call_that_waits_for_a_retry_ends_it_at_once(boolean factory) throws Exception {
    healthy.answers(status(429, "Retry-After", "30"));
    Call call = (factory ? calls : client).newCall(healthy());
    CompletableFuture<Result> ended = Caller.start(call);
    awaitQueued(1);
    long began = System.nanoTime();
    call.cancel();
    assertThat(ended.get(5, TimeUnit.SECONDS).error()).hasMessage("Canceled");
    assertThat(since(began)).isLessThan(PROMPT);
    assertThat(healthy.count()).isEqualTo(1);
    assertThat(paceline.stats().queued()).isZero();
  }

  @Test
  void a_refusal_at_once_reaches_the_callback_on_another_thread() throws Exception {
    exhaust("a");
    Request request =
        CallOptions.standard().maxWait(Duration.ZERO).on(paused("a").newBuilder()).build();
    AtomicReference<Thread> heardOn = new AtomicReference<>();
    CompletableFuture<IOException> failure = new CompletableFuture<>();
    calls
        .newCall(request)
        .enqueue(
            new Callback() {
              @Override
              public void onFailure(Call failed, IOException e) {
                heardOn.set(Thread.currentThread());
                failure.complete(e);
              }

              @Override
              public void onResponse(Call answered, Response response) {
                response.close();
              }
            });
    assertThat(failure.get(5, TimeUnit.SECONDS)).isInstanceOf(WaitTooLongException.class);
    assertThat(heardOn.get()).isNotSameAs(Thread.currentThread());
    assertThat(heardOn.get().getName()).startsWith("paceline-callback");
  }

  // WB-07
  @Test
  void the_call_timeout_of_an_enqueued_call_counts_its_wait() throws Exception {
    exhaust("a");
    Call call = calls.newCall(paused("a"));
    call.timeout().timeout(500, TimeUnit.MILLISECONDS);
    long began = System.nanoTime();
    assertThat(Caller.start(call).get(5, TimeUnit.SECONDS).error())
        .isInstanceOf(WaitTooLongException.class);
    assertThat(since(began)).isLessThan(Duration.ofMillis(200));
    assertThat(paused.count()).isEqualTo(1);
  }

  @Test
  void the_call_timeout_cuts_a_slow_answer_too() throws Exception {
    assertThat(Caller.start(calls.newCall(healthy())).get(5, TimeUnit.SECONDS).status())
        .isEqualTo(200);
    CountDownLatch release = new CountDownLatch(1);
    healthy.answer(
        request -> {
          try {
            release.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return status(200);
        });
    Call call = calls.newCall(healthy());
    call.timeout().timeout(200, TimeUnit.MILLISECONDS);
    long began = System.nanoTime();
    assertThat(Caller.start(call).get(5, TimeUnit.SECONDS).error()).hasMessage("timeout");
    assertThat(since(began)).isLessThan(Duration.ofMillis(400));
    release.countDown();
  }

  @Test
  void a_call_of_the_factory_keeps_the_promises_of_call() throws Exception {
    Call call = calls.newCall(healthy());
    List<String> heard = new ArrayList<>();
    call.addEventListener(
        new EventListener() {
          @Override
          public void requestHeadersStart(Call started) {
            heard.add("sent");
          }
        });
    assertThat(call.tag(String.class, () -> "tagged")).isEqualTo("tagged");
    assertThat(call.tag(String.class)).isEqualTo("tagged");
    assertThat(call.isExecuted()).isFalse();
    healthy.answers(status(503), status(200));
    assertThat(Caller.start(call).get(5, TimeUnit.SECONDS).status()).isEqualTo(200);
    assertThat(heard).containsExactly("sent", "sent");
    assertThat(call.isExecuted()).isTrue();
    assertThat(call.isCanceled()).isFalse();
    assertThatThrownBy(call::execute).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> Caller.start(call)).isInstanceOf(IllegalStateException.class);
    Call again = call.clone();
    assertThat(again.isExecuted()).isFalse();
    assertThat(again.request()).isSameAs(call.request());
    assertThat(Caller.blocking(again).status()).isEqualTo(200);
    assertThatThrownBy(() -> Caller.start(again)).isInstanceOf(IllegalStateException.class);
  }
}
