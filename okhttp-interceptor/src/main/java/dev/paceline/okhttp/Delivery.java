package dev.paceline.okhttp;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells a callback, once, and never on the thread that is still enqueuing. */
final class Delivery {

  private static final Logger log = LoggerFactory.getLogger(PacelineCallFactory.class);

  private final Call call;
  private final Callback callback;
  private final Executor executor;
  private final Thread enqueuing = Thread.currentThread();
  private volatile boolean enqueued;

  Delivery(Call call, Callback callback, Executor executor) {
    this.call = call;
    this.callback = callback;
    this.executor = executor;
  }

  void of(CompletableFuture<Response> outcome, Exchange exchange) {
    var unused =
        outcome.whenComplete(
            (response, error) -> {
              if (!enqueued && Thread.currentThread() == enqueuing) {
                executor.execute(() -> deliver(exchange, response, error));
              } else {
                deliver(exchange, response, error);
              }
            });
    enqueued = true;
  }

  private void deliver(Exchange exchange, @Nullable Response response, @Nullable Throwable error) {
    try {
      if (response == null) {
        callback.onFailure(call, failure(exchange, error));
        return;
      }
      Response delivered;
      try {
        delivered = exchange.delivered(response);
      } catch (IOException refusal) {
        callback.onFailure(call, refusal);
        return;
      }
      callback.onResponse(call, delivered);
    } catch (IOException e) {
      log.info("The callback of a call failed", e);
    } catch (RuntimeException | Error e) {
      // The future would swallow it; OkHttp, too, gives it to the thread's handler.
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }

  private static IOException failure(Exchange exchange, @Nullable Throwable error) {
    if (error instanceof IOException known) {
      return exchange.thrown(known);
    }
    return new IOException("the call failed for an unforeseen reason", error);
  }
}
