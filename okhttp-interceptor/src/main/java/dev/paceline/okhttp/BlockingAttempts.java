package dev.paceline.okhttp;

import dev.paceline.Acquisition;
import dev.paceline.PacelineException;
import dev.paceline.retry.Attempt;
import dev.paceline.retry.Attempted;
import java.io.IOException;
import java.net.ProtocolException;
import okhttp3.Interceptor.Chain;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** The attempts of a logical call inside OkHttp's application interceptors. */
final class BlockingAttempts implements Attempt.Blocking<Response> {

  private final Chain chain;
  private final Exchange exchange;
  private final CallProbe probe;

  BlockingAttempts(Chain chain, Exchange exchange, CallProbe probe) {
    this.chain = chain;
    this.exchange = exchange;
    this.probe = probe;
  }

  @Override
  public Attempted<Response> send(int number, long notBefore) throws IOException {
    Acquisition acquisition = exchange.acquire(number, notBefore);
    if (number > 1) {
      Bodies.release(probe.connection(), exchange.untilNanos(notBefore));
    }
    probe.beginAttempt();
    boolean held = false;
    try {
      if (number == 1 && !acquisition.isGranted()) {
        Response cached = CacheFirst.answer(chain, exchange.request(number));
        if (cached != null) {
          return exchange.answered(cached, probe);
        }
      }
      probe.hold(probe.await(acquisition), exchange.upstream());
      held = true;
    } finally {
      if (!held) {
        acquisition.abandon();
      }
    }
    return proceed(number);
  }

  private Attempted<Response> proceed(int number) throws IOException {
    Request request = exchange.request(number);
    Response response = null;
    try {
      response = proceed(chain, request, probe);
    } catch (PacelineException | CallCancelledException e) {
      // A follow-up got no permit.
      throw e;
    } catch (IOException e) {
      return exchange.failed(e, probe);
    } finally {
      probe.giveBackUnused();
      if (response == null) {
        probe.landed();
      }
    }
    return exchange.answered(response, probe);
  }

  /** Sends without a wait; OkHttp neither repeats nor sees what would make it. */
  static Response proceed(Chain chain, Request request, CallProbe probe) throws IOException {
    @Nullable CallProbe outer = Layers.enter(request, probe);
    try {
      return RetryAfterShield.restore(Disarmed.of(chain).proceed(request), probe);
    } catch (NumberFormatException e) {
      // OkHttp's own, where the network interceptor is missing that keeps long numbers from it.
      ProtocolException failure = new ProtocolException("a Retry-After that OkHttp cannot read");
      failure.initCause(e);
      throw failure;
    } finally {
      Layers.leave(outer);
    }
  }

  @Override
  public void discard(Response response) {
    exchange.discard(response);
  }
}
