package dev.paceline.okhttp;

import dev.paceline.Acquisition;
import dev.paceline.PacelineException;
import dev.paceline.WaitCancelledException;
import dev.paceline.retry.Attempt;
import dev.paceline.retry.Attempted;
import dev.paceline.retry.RetrySession;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.Request;
import okhttp3.Response;

/** The attempts of an enqueued call; no thread is held while they wait. */
final class AsyncAttempts implements Attempt.Async<Response> {

  private final PacedCall call;
  private final Exchange exchange;
  private final PacelineCallFactory factory;
  private int requests;

  AsyncAttempts(PacedCall call, Exchange exchange, PacelineCallFactory factory) {
    this.call = call;
    this.exchange = exchange;
    this.factory = factory;
  }

  @Override
  public CompletionStage<Attempted<Response>> send(int number, long notBefore) {
    return new One(number, notBefore).begin();
  }

  @Override
  public void discard(Response response) {
    exchange.discard(response);
  }

  private final class One implements Callback {

    private final CompletableFuture<Attempted<Response>> outcome = new CompletableFuture<>();
    private final Call attempt;
    private final CallProbe probe;
    private final Acquisition acquisition;
    private final boolean first;

    One(int number, long notBefore) {
      Request request = exchange.request(number);
      first = number == 1;
      attempt = call.attempt(request, first);
      probe = CallProbe.driven(attempt, factory.paceline(), exchange.deadline(), requests);
      acquisition = exchange.acquire(number, notBefore);
    }

    CompletionStage<Attempted<Response>> begin() {
      probe.waitFor(acquisition);
      if (first
          && !acquisition.isGranted()
          && CacheFirst.mayAnswer(factory.client().cache(), attempt.request())) {
        lookIntoCache();
      } else {
        acquisition.whenDone(this::permitted);
      }
      return outcome;
    }

    private void lookIntoCache() {
      Call lookUp = factory.client().newCall(CacheFirst.only(attempt.request()));
      CallProbe.driven(lookUp, factory.paceline(), exchange.deadline(), requests);
      lookUp.enqueue(
          new Callback() {
            @Override
            public void onFailure(Call failed, IOException cause) {
              acquisition.whenDone(One.this::permitted);
            }

            @Override
            public void onResponse(Call answered, Response response) {
              if (CacheFirst.missed(response)) {
                response.close();
                acquisition.whenDone(One.this::permitted);
              } else {
                acquisition.abandon();
                Response cached = response.newBuilder().request(attempt.request()).build();
                outcome.complete(exchange.answered(cached, probe));
              }
            }
          });
    }

    private void permitted() {
      probe.waitIsOver();
      try {
        probe.hold(acquisition.permit(), exchange.upstream());
      } catch (WaitCancelledException e) {
        outcome.completeExceptionally(new CallCancelledException(e));
        return;
      } catch (PacelineException e) {
        outcome.completeExceptionally(e);
        return;
      }
      long left = probe.remainingNanos(factory.paceline().time().nanoTime());
      if (left == 0) {
        probe.giveBackUnused();
        outcome.completeExceptionally(new InterruptedIOException("timeout"));
        return;
      }
      if (exchange.deadline() != RetrySession.NO_DEADLINE) {
        attempt.timeout().timeout(left, TimeUnit.NANOSECONDS);
      }
      attempt.enqueue(this);
    }

    private void ended() {
      probe.giveBackUnused();
      requests = probe.requests();
    }

    @Override
    public void onFailure(Call failed, IOException cause) {
      ended();
      probe.landed();
      if (cause instanceof PacelineException) {
        // A follow-up got no permit.
        outcome.completeExceptionally(cause);
        return;
      }
      try {
        outcome.complete(exchange.failed(cause, probe));
      } catch (CallCancelledException e) {
        outcome.completeExceptionally(e);
      }
    }

    @Override
    public void onResponse(Call answered, Response response) {
      ended();
      outcome.complete(exchange.answered(response, probe));
    }
  }
}
