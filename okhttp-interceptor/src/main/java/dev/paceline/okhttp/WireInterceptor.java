package dev.paceline.okhttp;

import dev.paceline.Paceline;
import dev.paceline.Scope;
import dev.paceline.Upstream;
import java.io.IOException;
import java.util.Optional;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Runs once for each request on the wire. The first of an attempt has its permit already; a
 * follow-up, such as a redirect or an authentication, takes one here, on the host that it goes to.
 * It holds a connection meanwhile, so its wait is bounded by the deadline of the call.
 */
final class WireInterceptor implements Interceptor {

  private final Paceline paceline;

  WireInterceptor(Paceline paceline) {
    this.paceline = paceline;
  }

  Paceline paceline() {
    return paceline;
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    Request request = chain.request();
    Optional<Upstream> upstream = paceline.upstreamOf(request.url().host());
    CallProbe probe = chain.call().tag(CallProbe.class);
    if (upstream.isEmpty() && probe == null) {
      return chain.proceed(request);
    }
    if (probe == null) {
      probe = CallProbe.of(chain.call(), paceline.time().nanoTime());
    }
    probe.wired();
    pay(request, upstream, probe);
    return RetryAfterShield.shield(chain.proceed(request), probe);
  }

  private void pay(Request request, Optional<Upstream> upstream, CallProbe probe)
      throws IOException {
    if (probe.held() != null) {
      if (upstream.isPresent() && upstream.get() == probe.upstream()) {
        return;
      }
      // An interceptor has sent the call elsewhere after its permit was taken.
      probe.giveBackUnused();
    }
    if (upstream.isPresent()) {
      CallOptions options = CallOptions.of(request);
      OkHttpRequestView view = new OkHttpRequestView(request);
      Scope scope = PacelineInterceptor.scope(upstream.get(), view, options);
      probe.hold(probe.await(scope.acquire(probe.bounded(options, paceline))), upstream.get());
    }
  }
}
