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
    CallProbe known = chain.call().tag(CallProbe.TYPE);
    if (upstream.isEmpty() && known == null) {
      return chain.proceed(request);
    }
    CallProbe probe = known == null ? CallProbe.of(chain.call(), paceline) : known;
    probe.wired(request);
    pay(request, upstream, probe);
    return RetryAfterShield.shield(chain.proceed(request), probe);
  }

  private void pay(Request request, Optional<Upstream> upstream, CallProbe probe)
      throws IOException {
    CallProbe payer = probe.payer();
    if (!probe.isOf(paceline) && (upstream.isEmpty() || probe.knows(request.url().host()))) {
      // Another Paceline of this client sees to it.
      return;
    }
    if (probe != payer && (payer.held() != null || !payer.isOf(paceline))) {
      // The outer client's Paceline has paid, or will.
      return;
    }
    if (upstream.isEmpty()) {
      Upstream of = payer.upstream();
      if (of == null || paceline.upstreams().contains(of)) {
        payer.unlimited();
      }
      return;
    }
    if (payer.held() != null) {
      if (upstream.get() == payer.upstream()) {
        return;
      }
      // An interceptor has sent the call elsewhere after its permit was taken.
      payer.giveBackUnused();
    }
    // What OkHttp follows up is over: it must not wait for itself.
    payer.landed();
    CallOptions options = CallOptions.of(request);
    Scope scope = Exchange.scope(upstream.get(), request, options);
    payer.hold(
        probe.await(scope.acquire(Exchange.bounded(paceline, options, probe.deadline()))),
        upstream.get());
  }
}
