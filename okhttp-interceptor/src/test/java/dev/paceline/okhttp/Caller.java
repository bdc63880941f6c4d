package dev.paceline.okhttp;

import dev.paceline.Paceline;
import dev.paceline.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** Makes calls, blocking or not, in virtual time, and reads their responses to the end. */
final class Caller {

  enum Path {
    BLOCKING,
    ASYNC
  }

  /** What a call came to; without a response the status is 0. */
  record Result(int status, String body, Response response, IOException error) {}

  private static final long REAL_MILLIS = 20_000;

  private final VirtualTime time;
  private final Path path;
  final OkHttpClient client;
  final PacelineCallFactory factory;

  Caller(VirtualTime time, Path path, Paceline paceline, OkHttpClient.Builder builder) {
    this.time = time;
    this.path = path;
    this.client = PacelineOkHttp.install(builder, paceline).build();
    this.factory = PacelineCallFactory.of(client, paceline);
  }

  Result call(Request request) {
    return path == Path.BLOCKING ? blocking(client.newCall(request)) : enqueued(request);
  }

  static Result blocking(Call call) {
    try (Response response = call.execute()) {
      return new Result(response.code(), response.body().string(), response, null);
    } catch (IOException e) {
      return new Result(0, "", null, e);
    }
  }

  private Result enqueued(Request request) {
    CompletableFuture<Result> result = start(factory.newCall(request));
    drive(result);
    return result.join();
  }

  static CompletableFuture<Result> start(Call call) {
    CompletableFuture<Result> result = new CompletableFuture<>();
    call.enqueue(
        new Callback() {
          @Override
          public void onFailure(Call failed, IOException e) {
            result.complete(new Result(0, "", null, e));
          }

          @Override
          public void onResponse(Call answered, Response response) throws IOException {
            try (response) {
              result.complete(
                  new Result(response.code(), response.body().string(), response, null));
            } catch (IOException e) {
              result.complete(new Result(0, "", response, e));
            }
          }
        });
    return result;
  }

  /** Moves the clock to the next timer whenever nothing is on the wire. */
  void drive(CompletableFuture<?> until) {
    long giveUp = System.nanoTime() + REAL_MILLIS * 1_000_000;
    while (!arrived(until) && System.nanoTime() < giveUp) {
      if (client.dispatcher().runningCallsCount() + client.dispatcher().queuedCallsCount() == 0
          && !until.isDone()) {
        Duration next = time.nextTimer().minus(time.elapsed());
        if (next.compareTo(Duration.ofDays(400)) < 0) {
          time.advance(next.isNegative() ? Duration.ZERO : next);
        }
      }
    }
    if (!until.isDone()) {
      throw new AssertionError("the call has not ended");
    }
  }

  private static boolean arrived(CompletableFuture<?> until) {
    try {
      until.get(1, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }
}
