package dev.paceline.okhttp;

import dev.paceline.Paceline;
import dev.paceline.Upstream;
import dev.paceline.retry.RetryDriver;
import java.util.Optional;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Request;

/**
 * Makes calls whose {@code enqueue} waits before OkHttp's dispatcher is entered: a waiting call
 * holds no thread, no slot of its host and no connection. {@code execute} parks its caller, as with
 * the interceptor. Thread-safe.
 *
 * <pre>{@code
 * Call.Factory calls = PacelineCallFactory.of(new OkHttpClient(), paceline);
 * Retrofit retrofit = new Retrofit.Builder().callFactory(calls)...
 * }</pre>
 *
 * <p>A callback runs on OkHttp's dispatcher, or on Paceline's executor where the call ends without
 * a response; never on the thread that enqueued it. The call timeout counts from {@code enqueue},
 * waits included.
 */
public final class PacelineCallFactory implements Call.Factory {

  private final OkHttpClient client;
  private final Paceline paceline;
  private final RetryDriver driver;

  private PacelineCallFactory(OkHttpClient client, Paceline paceline) {
    this.client = client;
    this.paceline = paceline;
    this.driver = new RetryDriver(paceline.time()::nanoTime);
  }

  /**
   * A factory of calls of a client, on which Paceline is installed if it is not yet. Connections
   * and dispatcher are the client's own.
   */
  public static PacelineCallFactory of(OkHttpClient client, Paceline paceline) {
    boolean whole =
        PacelineOkHttp.isInstalled(client.interceptors(), paceline)
            && PacelineOkHttp.isWired(client.networkInterceptors(), paceline);
    OkHttpClient installed =
        whole ? client : PacelineOkHttp.install(client.newBuilder(), paceline).build();
    return new PacelineCallFactory(installed, paceline);
  }

  @Override
  public Call newCall(Request request) {
    Optional<Upstream> upstream = paceline.upstreamOf(request.url().host());
    return upstream.isEmpty()
        ? client.newCall(request)
        : new PacedCall(this, upstream.get(), request);
  }

  OkHttpClient client() {
    return client;
  }

  Paceline paceline() {
    return paceline;
  }

  RetryDriver driver() {
    return driver;
  }
}
