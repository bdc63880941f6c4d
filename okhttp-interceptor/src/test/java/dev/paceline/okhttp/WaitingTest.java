package dev.paceline.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.Paceline;
import dev.paceline.limit.Limit;
import dev.paceline.testing.TestThreads;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A blocking call that waits is woken at once, and holds nothing afterwards. */
@Tag("blocking")
final class WaitingTest {

  private static final long PROMPT_MILLIS = 100;

  private Provider provider;
  private Paceline paceline;
  private OkHttpClient client;

  @BeforeEach
  void start() throws IOException {
    provider = new Provider(System::nanoTime);
    paceline =
        Paceline.builder()
            .maxWait(Duration.ofSeconds(60))
            .upstream(
                "api", u -> u.hosts(provider.host()).limit(Limit.of(1).per(Duration.ofSeconds(30))))
            .build();
    client = PacelineOkHttp.install(new OkHttpClient.Builder(), paceline).build();
  }

  @AfterEach
  void stop() {
    paceline.close();
    provider.close();
  }

  private record Ended(IOException error, long atNanos, boolean interrupted) {}

  /** Takes the only permit, then starts a call that has to wait. */
  private Thread startWaiting(Call call, BlockingQueue<Ended> ended) throws Exception {
    client.newCall(provider.get("/")).execute().close();
    Thread caller =
        TestThreads.start(
            "caller",
            () -> {
              try (Response response = call.execute()) {
                throw new AssertionError("sent: " + response);
              } catch (IOException e) {
                ended.add(new Ended(e, System.nanoTime(), Thread.currentThread().isInterrupted()));
              }
            });
    long until = System.nanoTime() + 5_000_000_000L;
    while (paceline.stats().queued() == 0 && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    assertThat(paceline.stats().queued()).isEqualTo(1);
    return caller;
  }

  private void assertPrompt(Ended end, long since) {
    assertThat(end).isNotNull();
    assertThat((end.atNanos() - since) / 1_000_000).isLessThanOrEqualTo(PROMPT_MILLIS);
    assertThat(paceline.stats().queued()).isZero();
    assertThat(provider.count()).isEqualTo(1);
  }

  // CA-01
  @Test
  void cancel_wakes_the_waiting_call_at_once() throws Exception {
    BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
    Call call = client.newCall(provider.get("/"));
    startWaiting(call, ended);
    long since = System.nanoTime();
    call.cancel();
    Ended end = ended.poll(5, TimeUnit.SECONDS);
    assertPrompt(end, since);
    assertThat(end.error()).hasMessage("Canceled");
  }

  // CA-02
  @Test
  void interrupt_wakes_the_waiting_call_at_once_and_keeps_the_flag() throws Exception {
    BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
    Thread caller = startWaiting(client.newCall(provider.get("/")), ended);
    long since = System.nanoTime();
    caller.interrupt();
    Ended end = ended.poll(5, TimeUnit.SECONDS);
    assertPrompt(end, since);
    assertThat(end.error()).isInstanceOf(InterruptedIOException.class);
    assertThat(end.interrupted()).isTrue();
  }

  @Test
  void call_that_is_cancelled_before_it_starts_sends_nothing() throws Exception {
    client.newCall(provider.get("/")).execute().close();
    Call call = client.newCall(provider.get("/"));
    call.cancel();
    AtomicBoolean failed = new AtomicBoolean();
    long since = System.nanoTime();
    try (Response response = call.execute()) {
      assertThat(response).isNull();
    } catch (IOException e) {
      failed.set(true);
    }
    assertThat(failed).isTrue();
    assertThat((System.nanoTime() - since) / 1_000_000).isLessThanOrEqualTo(PROMPT_MILLIS);
    assertThat(provider.count()).isEqualTo(1);
  }
}
