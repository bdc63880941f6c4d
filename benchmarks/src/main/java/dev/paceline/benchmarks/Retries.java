package dev.paceline.benchmarks;

import dev.paceline.AcquireOptions;
import dev.paceline.Acquisition;
import dev.paceline.Paceline;
import dev.paceline.PacelineException;
import dev.paceline.Scope;
import dev.paceline.Upstream;
import dev.paceline.feedback.HeaderLines;
import dev.paceline.feedback.ResponseFacts;
import dev.paceline.limit.Limit;
import dev.paceline.okhttp.PacelineOkHttp;
import dev.paceline.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/**
 * What an outage of a provider costs it in retries, and how those come back whom it told to wait.
 *
 * <p>{@code java -cp benchmarks.jar dev.paceline.benchmarks.Retries [calls [clients]]}
 */
final class Retries {

  private static final int HERD_PER_SECOND = 10_000;
  private static final Duration SLICE = Duration.ofMillis(10);

  private Retries() {}

  /** Prints the table. */
  public static void main(String[] args) throws IOException {
    Row.print(
        List.of(
            failing(args.length > 0 ? Integer.parseInt(args[0]) : 1_000),
            herd(args.length > 1 ? Integer.parseInt(args[1]) : 100_000)));
    System.exit(0);
  }

  private static Row failing(int calls) throws IOException {
    AtomicLong requests = new AtomicLong();
    long start = System.nanoTime();
    try (LoopbackHttp http =
            new LoopbackHttp(
                head -> {
                  requests.incrementAndGet();
                  return LoopbackHttp.of("503 Service Unavailable");
                });
        Paceline paceline =
            Paceline.builder()
                .upstream(
                    "api",
                    u -> u.hosts(http.host()).limit(Limit.of(1_000).per(Duration.ofSeconds(1))))
                .retry(r -> r.fullJitter(Duration.ofMillis(20), Duration.ofMillis(200)))
                .build()) {
      OkHttpClient client = PacelineOkHttp.install(new OkHttpClient.Builder(), paceline).build();
      Request request =
          new Request.Builder().url("http://" + http.host() + ":" + http.port()).build();
      for (int i = 0; i < calls; i++) {
        try (Response response = client.newCall(request).execute()) {
          if (response.isSuccessful()) {
            throw new IllegalStateException("a call succeeded");
          }
        }
      }
    }
    // Ten retries that it starts with, and a floor of one in five seconds.
    double seconds = (System.nanoTime() - start) / 1e9;
    long allowed = calls + 10 + (long) Math.ceil(0.2 * seconds);
    return new Row(
        "1,000 failing calls",
        "≤ 1,000 requests on the wire, and the retry budget",
        requests.get() <= allowed,
        "%,d requests".formatted(requests.get()),
        "budget %d".formatted(allowed - calls));
  }

  /** In virtual time: what counts is when they are let go. */
  private static Row herd(int clients) throws PacelineException {
    VirtualTime time = VirtualTime.create();
    List<Duration> arrivals = new ArrayList<>(clients);
    try (Paceline paceline =
        Paceline.builder()
            .time(time)
            .executor(Runnable::run)
            .maxWait(Duration.ofMinutes(10))
            .maxQueued(clients)
            .upstream(
                "api",
                u ->
                    u.hosts("api.example")
                        .limit(Limit.of(HERD_PER_SECOND).per(Duration.ofSeconds(1)).tokenBucket())
                        .learnGuard(false))
            .build()) {
      Upstream upstream = paceline.upstreamOf("api.example").orElseThrow();
      Scope all = upstream.scopeOf(Optional.empty());
      Acquisition first = all.acquire(AcquireOptions.standard());
      first.permit().sent();
      for (int i = 0; i < clients; i++) {
        Instant now = Instant.EPOCH.plusNanos(time.epochMicros() * 1_000);
        ResponseFacts told = ResponseFacts.of(429, HeaderLines.of("Retry-After", "1"), now);
        upstream.learn(all, first.permit(), upstream.reader().read(told));
        Acquisition again = all.acquire(AcquireOptions.standard().notBefore(Duration.ofSeconds(1)));
        again.whenDone(() -> arrivals.add(time.elapsed()));
      }
      time.advance(Duration.ofSeconds(2 + clients / HERD_PER_SECOND));
    }
    if (arrivals.size() != clients) {
      throw new IllegalStateException(arrivals.size() + " came of " + clients);
    }
    double peak = peak(arrivals) / (HERD_PER_SECOND * SLICE.toMillis() / 1e3);
    return new Row(
        "100,000 clients told `Retry-After: 1` together",
        "peak ≤ 1.1 × the paced rate, none before",
        peak <= 1.1 && arrivals.get(0).compareTo(Duration.ofSeconds(1)) >= 0,
        "%s × over any 10 ms; the first after %s s"
            .formatted(Row.number(peak), Row.number(arrivals.get(0).toMillis() / 1e3)),
        "unpaced %s ×".formatted(Row.number(clients / (HERD_PER_SECOND / 100.0))));
  }

  private static int peak(List<Duration> arrivals) {
    int from = 0;
    int peak = 0;
    for (int to = 0; to < arrivals.size(); to++) {
      while (arrivals.get(to).minus(arrivals.get(from)).compareTo(SLICE) >= 0) {
        from++;
      }
      peak = Math.max(peak, to - from + 1);
    }
    return peak;
  }
}
