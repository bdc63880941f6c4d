package dev.paceline.examples;

import dev.paceline.Paceline;
import dev.paceline.WaitTooLongException;
import dev.paceline.okhttp.CallOptions;
import dev.paceline.okhttp.PacelineOkHttp;
import dev.paceline.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import okhttp3.OkHttpClient;
import okhttp3.Request;

/** A worker whose calls go through Paceline. */
final class PacedClient implements DemoClient {
  private final TimeSource time;
  private final StrictProvider provider;
  private final Paceline paceline;
  private final OkHttpClient client;
  private final Runnable whenClosed;

  /**
   * A worker.
   *
   * @param whenClosed is run after Paceline, which this worker closes
   */
  PacedClient(
      TimeSource time,
      StrictProvider provider,
      Paceline paceline,
      int callers,
      Runnable whenClosed) {
    this.whenClosed = whenClosed;
    this.time = time;
    this.provider = provider;
    this.paceline = paceline;
    OkHttpClient.Builder plain =
        Charges.client(callers)
            .addInterceptor(
                chain -> {
                  Asked asked = chain.request().tag(Asked.class);
                  if (asked != null) {
                    asked.allowedAt = time.nanoTime();
                  }
                  return chain.proceed(chain.request());
                });
    this.client = PacelineOkHttp.install(plain, paceline).build();
  }

  /** Rides on a request, to learn when it was allowed to leave. */
  private static final class Asked {
    private volatile long allowedAt;
  }

  @Override
  public void connect() throws IOException {
    Charges.status(client, Charges.ready(provider).build());
  }

  @Override
  public Optional<Ended> call(long end) throws IOException {
    long askedAt = time.nanoTime();
    Asked asked = new Asked();
    Request request =
        CallOptions.standard()
            .maxWait(Duration.ofNanos(Math.max(0, end - askedAt)))
            .on(Charges.charge(provider).tag(Asked.class, asked))
            .build();
    try {
      boolean ok = Charges.status(client, request) < 400;
      return Optional.of(new Ended(ok, asked.allowedAt - askedAt));
    } catch (WaitTooLongException e) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    paceline.close();
    whenClosed.run();
    Charges.close(client);
  }
}
