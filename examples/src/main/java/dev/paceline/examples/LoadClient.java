package dev.paceline.examples;

import dev.paceline.Paceline;
import dev.paceline.okhttp.PacelineCallFactory;
import dev.paceline.okhttp.PacelineOkHttp;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.EventListener;
import okhttp3.OkHttpClient;

/** An OkHttp client with Paceline, made for many calls to one host at once. */
final class LoadClient implements AutoCloseable {
  private final Paceline paceline;
  private final OkHttpClient client;
  private final Call.Factory warmUpCalls;
  private final Call.Factory calls;
  private final LongAdder sent = new LongAdder();

  /**
   * A client of its own.
   *
   * @param paceline which this client closes
   * @param atOnce how many calls are in flight at most
   */
  LoadClient(Paceline paceline, int atOnce, boolean async, Optional<Duration> callTimeout) {
    this.paceline = paceline;
    Dispatcher dispatcher = new Dispatcher();
    dispatcher.setMaxRequests(atOnce);
    dispatcher.setMaxRequestsPerHost(atOnce);
    OkHttpClient.Builder plain =
        new OkHttpClient.Builder()
            .dispatcher(dispatcher)
            .dns(WarmUp.dns())
            .connectionPool(new ConnectionPool(atOnce, 1, TimeUnit.MINUTES))
            .eventListener(
                new EventListener() {
                  @Override
                  public void requestHeadersStart(Call call) {
                    sent.increment();
                  }
                })
            .addInterceptor(CallRecord.interceptor());
    OkHttpClient untimed = PacelineOkHttp.install(plain, paceline).build();
    client = callTimeout.map(d -> untimed.newBuilder().callTimeout(d).build()).orElse(untimed);
    warmUpCalls = async ? PacelineCallFactory.of(untimed, paceline) : untimed;
    calls = async ? PacelineCallFactory.of(client, paceline) : client;
  }

  Call.Factory calls() {
    return calls;
  }

  /** The same, without the call timeout. */
  Call.Factory warmUpCalls() {
    return warmUpCalls;
  }

  Paceline paceline() {
    return paceline;
  }

  /** Requests on the wire so far. */
  long sent() {
    return sent.sum();
  }

  @Override
  public void close() {
    paceline.close();
    client.dispatcher().executorService().shutdown();
    client.connectionPool().evictAll();
  }
}
