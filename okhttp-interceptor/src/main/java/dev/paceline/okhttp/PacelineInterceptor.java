package dev.paceline.okhttp;

import dev.paceline.Paceline;
import dev.paceline.Upstream;
import dev.paceline.retry.RetryDriver;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Sends each call of a client at a moment at which its upstream will accept it, and repeats it
 * where that is worth it and safe. An application interceptor, and the first one: it waits before a
 * connection is held and before interceptors that sign, which then run on each attempt.
 *
 * <p>Calls to hosts without an upstream pass untouched. Thread-safe. {@link PacelineOkHttp#install}
 * adds it together with what paces redirects and stops OkHttp's own repeats; alone it only counts
 * and charges those.
 *
 * <p>A waiting call parks its thread. With {@code enqueue} that is one of OkHttp's dispatcher, of
 * which a host has 5 by default: use {@link PacelineCallFactory} there.
 */
public final class PacelineInterceptor implements Interceptor {

  private final Paceline paceline;
  private final RetryDriver driver;

  /** An interceptor for any number of clients. */
  public PacelineInterceptor(Paceline paceline) {
    this.paceline = Objects.requireNonNull(paceline, "paceline");
    this.driver = new RetryDriver(paceline.time()::nanoTime);
  }

  Paceline paceline() {
    return paceline;
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    Request request = chain.request();
    Optional<Upstream> upstream = paceline.upstreamOf(request.url().host());
    if (upstream.isEmpty()) {
      return chain.proceed(request);
    }
    CallProbe probe = CallProbe.of(chain.call(), paceline);
    if (!probe.enter()) {
      Layers.warnOfTwo();
      return chain.proceed(request);
    }
    CallProbe around = Layers.around(request);
    if (around != null) {
      Layers.warnOfTwo();
      probe.carry(around);
    }
    return probe.isDriven()
        ? BlockingAttempts.proceed(chain, request, probe)
        : pace(chain, request, upstream.get(), probe);
  }

  private Response pace(Chain chain, Request request, Upstream upstream, CallProbe probe)
      throws IOException {
    Exchange exchange = new Exchange(paceline, upstream, request, probe.deadline());
    Response response;
    try {
      BlockingAttempts attempts = new BlockingAttempts(chain, exchange, probe);
      response = driver.call(exchange.session(), attempts, exchange.deadline());
    } catch (IOException e) {
      throw exchange.thrown(e);
    }
    return exchange.delivered(response);
  }
}
