package dev.paceline.okhttp;

import dev.paceline.Acquisition;
import dev.paceline.Paceline;
import dev.paceline.Scope;
import dev.paceline.Upstream;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Sends each call of a client at a moment at which its upstream will accept it. An application
 * interceptor, and the first one: it waits before a connection is held and before interceptors that
 * sign, which then run on each attempt.
 *
 * <p>Calls to hosts without an upstream pass untouched. Thread-safe. {@link PacelineOkHttp#install}
 * adds it together with what paces redirects and stops OkHttp's own repeats; alone it only counts
 * those.
 *
 * <p>A waiting call parks its thread. With {@code enqueue} that is one of OkHttp's dispatcher, of
 * which a host has 5 by default: use {@code PacelineCallFactory} there.
 */
public final class PacelineInterceptor implements Interceptor {

  private final Paceline paceline;

  /** An interceptor for any number of clients. */
  public PacelineInterceptor(Paceline paceline) {
    this.paceline = Objects.requireNonNull(paceline, "paceline");
  }

  Paceline paceline() {
    return paceline;
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    Request request = chain.request();
    Optional<Upstream> upstream = paceline.upstreamOf(request.url().host());
    return upstream.isEmpty() ? chain.proceed(request) : pace(chain, request, upstream.get());
  }

  private Response pace(Chain chain, Request request, Upstream upstream) throws IOException {
    CallProbe probe = CallProbe.of(chain.call(), paceline.time().nanoTime());
    if (!probe.enter()) {
      Layers.warnOfTwo();
      return chain.proceed(request);
    }
    CallOptions options = CallOptions.of(request);
    Scope scope = scope(upstream, new OkHttpRequestView(request), options);
    Acquisition acquisition = scope.acquire(probe.bounded(options, paceline));
    try {
      if (!acquisition.isGranted() && CacheFirst.mayAnswer(chain, request)) {
        Response cached = CacheFirst.answer(chain, request);
        if (cached != null) {
          return cached;
        }
      }
      probe.hold(probe.await(acquisition), upstream);
      Response response = chain.withRetryOnConnectionFailure(false).proceed(request);
      return RetryAfterShield.restore(response, probe);
    } catch (CallCancelledException e) {
      throw e.asOkHttpSays();
    } finally {
      // Does nothing to a permit that was used.
      acquisition.abandon();
      probe.giveBackUnused();
    }
  }

  static Scope scope(Upstream upstream, OkHttpRequestView view, CallOptions options) {
    return options.owner().isEmpty() && options.tier().isEmpty()
        ? upstream.scope(view)
        : upstream.scope(view, options.owner(), options.tier());
  }
}
