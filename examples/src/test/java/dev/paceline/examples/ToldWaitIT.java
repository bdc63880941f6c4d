package dev.paceline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.Paceline;
import dev.paceline.Upstream;
import dev.paceline.feedback.Profile;
import dev.paceline.limit.Limit;
import dev.paceline.okhttp.PacelineOkHttp;
import dev.paceline.redis.RedisBuckets;
import dev.paceline.redis.RedisInspector;
import dev.paceline.redis.testing.RedisServer;
import dev.paceline.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Four workers of 4 callers each under load, some of which are told to wait. */
class ToldWaitIT {
  private static final int WORKERS = 4;
  private static final int CALLERS = 4;
  private static final int PER_SECOND = 100;
  private static final String OK = "200";
  private static final Duration SLOW = Duration.ofMillis(400);

  private final TimeSource time = TimeSource.system();
  private final RedisServer redis = RedisServer.start();
  private final MockWebServer provider = new MockWebServer();
  private final StrictLimit tolerated = new StrictLimit(PER_SECOND, 12);
  private final List<Arrival> arrivals = new CopyOnWriteArrayList<>();
  private final Map<String, Told> toTell = new ConcurrentHashMap<>();
  private final List<Paceline> fleet = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile long slowFrom = Long.MAX_VALUE;
  private volatile boolean stopping;

  /** A request came; {@code at} is a reading of the ticker. */
  private record Arrival(long at, String answer) {}

  /** A wait that a worker is told, {@code late} after its request. */
  private record Told(Duration patience, Duration late) {}

  private void load(boolean punishes) throws IOException {
    Profile profile = Profile.builder("strict").probeAfterCooldown(punishes).build();
    provider.setDispatcher(
        new Dispatcher() {
          @Override
          public MockResponse dispatch(RecordedRequest request) {
            return answer(request.getUrl().encodedPath());
          }
        });
    provider.start();
    for (int i = 0; i < WORKERS; i++) {
      Paceline paceline =
          Paceline.builder()
              .upstream(
                  "api",
                  u ->
                      u.hosts(provider.getHostName())
                          .limit(Limit.of(PER_SECOND).per(Duration.ofSeconds(1)))
                          .profile(profile))
              .maxWait(Duration.ofHours(3))
              .sharedThrough(RedisBuckets.connect(redis.uri()))
              .build();
      fleet.add(paceline);
      OkHttpClient client = PacelineOkHttp.install(new OkHttpClient.Builder(), paceline).build();
      Request request = new Request.Builder().url(provider.url("/" + i)).build();
      for (int j = 0; j < CALLERS; j++) {
        threads.add(new Thread(() -> call(client, request)));
      }
    }
    threads.forEach(Thread::start);
    RedisServer.await("all work", Duration.ofSeconds(10), () -> arrivals.size() > 2 * PER_SECOND);
  }

  @AfterEach
  void end() throws InterruptedException {
    stopping = true;
    fleet.forEach(Paceline::close);
    for (Thread thread : threads) {
      thread.join(10_000);
    }
    provider.close();
    redis.close();
  }

  private MockResponse answer(String worker) {
    long now = time.nanoTime();
    Told told = toTell.remove(worker);
    String answer = told != null ? "told" : tolerated.accepts(now) ? OK : "refused";
    arrivals.add(new Arrival(now, answer));
    MockResponse.Builder response = new MockResponse.Builder();
    if (told != null) {
      response
          .addHeader("Retry-After", told.patience().toSeconds())
          .headersDelay(told.late().toMillis(), TimeUnit.MILLISECONDS);
    }
    if (now >= slowFrom) {
      slowFrom = Long.MAX_VALUE;
      response.headersDelay(SLOW.toMillis(), TimeUnit.MILLISECONDS);
    }
    return response.code(answer.equals(OK) ? 200 : 429).build();
  }

  private void call(OkHttpClient client, Request request) {
    while (!stopping) {
      try (Response response = client.newCall(request).execute()) {
        assertThat(response.code()).isIn(200, 429);
      } catch (IOException e) {
        // Paceline is closed: the test has ended.
        return;
      }
    }
  }

  /** Tells one worker to wait; returns when its request came. */
  private long tell(int worker, Duration wait, Duration late) {
    long from = time.nanoTime();
    toTell.put("/" + worker, new Told(wait, late));
    RedisServer.await("it is told", Duration.ofSeconds(5), () -> told(from).isPresent());
    return told(from).orElseThrow().at();
  }

  private Optional<Arrival> told(long from) {
    return arrivals.stream()
        .filter(arrival -> arrival.at() - from >= 0 && arrival.answer().equals("told"))
        .findFirst();
  }

  private long arrived(long from, Duration lasting) {
    long until = from + lasting.toNanos();
    return arrivals.stream()
        .filter(arrival -> arrival.at() - from >= 0 && arrival.at() - until < 0)
        .count();
  }

  private void waitUntil(long instant) {
    RedisServer.await(
        "the time has come", Duration.ofSeconds(30), () -> time.nanoTime() - instant >= 0);
  }

  private void assertGoesOn(long from) {
    waitUntil(from + 1_000_000_000L);
    assertThat(arrived(from, Duration.ofSeconds(1))).isBetween(70L, 105L);
  }

  @Test // SH-01, SH-04
  void nobody_calls_until_the_wait_of_one_ends_and_then_all_at_the_pace() throws IOException {
    load(false);
    Duration wait = Duration.ofSeconds(3);
    long told = tell(1, wait, Duration.ZERO);
    waitUntil(told + Duration.ofSeconds(5).toNanos());

    Duration known = Duration.ofMillis(100);
    assertThat(arrived(told + known.toNanos(), wait.minus(known))).isZero();
    for (int second = 3; second < 5; second++) {
      long from = told + Duration.ofSeconds(second).toNanos();
      assertThat(arrived(from, Duration.ofSeconds(1))).as("second %d", second).isBetween(85L, 105L);
    }
    assertThat(arrivals)
        .filteredOn(arrival -> arrival.at() - told > 0)
        .noneMatch(arrival -> arrival.answer().equals("refused"));
  }

  @Test // SH-02
  void the_longer_of_two_waits_stays_in_either_order_until_somebody_ends_it() throws IOException {
    load(false);
    tell(2, Duration.ofSeconds(60), Duration.ofMillis(300));
    assertAllWaitFrom(tell(0, Duration.ofMinutes(90), Duration.ZERO));

    assertThat(
            CommandRun.of("inspect", "--redis", redis.uri(), "--key=api/*/*", "--clear-cooldown")
                .exit())
        .isZero();
    assertGoesOn(time.nanoTime());

    tell(3, Duration.ofMinutes(90), Duration.ofMillis(300));
    assertAllWaitFrom(tell(1, Duration.ofSeconds(60), Duration.ZERO));
    Upstream upstream = fleet.get(2).upstreams().get(0);
    upstream.clearCooldowns(upstream.scopeOf(Optional.empty()));
    assertGoesOn(time.nanoTime());
  }

  @Test
  void where_impatience_is_punished_one_of_the_fleet_goes_first() throws IOException {
    load(true);
    long end = tell(3, Duration.ofSeconds(1), Duration.ZERO) + 1_000_000_000L;
    slowFrom = end;
    waitUntil(end + SLOW.toNanos() + 1_500_000_000L);

    // What is granted while the others hear of the first goes out beside it.
    assertThat(arrived(end, SLOW)).isBetween(1L, 3L);
    assertThat(arrived(end + SLOW.toNanos(), Duration.ofSeconds(1))).isBetween(85L, 105L);
  }

  private void assertAllWaitFrom(long told) {
    waitUntil(told + Duration.ofMillis(600).toNanos());
    assertThat(arrived(told + 100_000_000L, Duration.ofSeconds(1))).isZero();
    try (RedisInspector inspector = RedisInspector.connect(redis.uri())) {
      assertThat(inspector.scopes())
          .singleElement()
          .satisfies(
              scope ->
                  assertThat(scope.cooldown())
                      .isBetween(Duration.ofSeconds(5_390), Duration.ofSeconds(5_400)));
    }
  }
}
