package dev.paceline.benchmarks;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.paceline.Paceline;
import dev.paceline.limit.Limit;
import dev.paceline.okhttp.PacelineOkHttp;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What an interceptor adds to a call of OkHttp, blocking. A limit is never reached, so nothing
 * waits. {@code answered} is a call that another interceptor answers, so that there is no network;
 * {@code loopback} goes to a plain server in this process.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 6, time = 1)
@Fork(1)
public class InterceptorBenchmark {

  private static final int PERMITS = 1_000_000_000;

  /** What stands on the way. */
  public enum Layer {
    /** An interceptor that only proceeds. */
    EMPTY("empty interceptor"),
    /** A limit and retries. */
    PACELINE("Paceline"),
    /** Retries. */
    FAILSAFE("Failsafe, retry"),
    /** A limiter and retries. */
    RESILIENCE4J("Resilience4j, retry and limiter");

    private final String text;

    Layer(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  @Param public Layer layer = Layer.EMPTY;

  private OkHttpClient answering = new OkHttpClient();
  private OkHttpClient plain = answering;
  private Request unsent = new Request.Builder().url("http://localhost/items").build();
  private Request request = unsent;
  private LoopbackHttp server;

  /** Builds the clients and starts the server. */
  @Setup
  public void start() throws IOException {
    server =
        new LoopbackHttp(
            head ->
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n"
                    + "{\"ok\":true}");
    request =
        unsent.newBuilder().url("http://" + server.host() + ":" + server.port() + "/items").build();
    plain = layered(new OkHttpClient.Builder()).build();
    answering = layered(new OkHttpClient.Builder()).addInterceptor(this::answer).build();
  }

  private OkHttpClient.Builder layered(OkHttpClient.Builder client) {
    return switch (layer) {
      case EMPTY -> client.addInterceptor(chain -> chain.proceed(chain.request()));
      case PACELINE -> PacelineOkHttp.install(client, paceline());
      case FAILSAFE -> client.addInterceptor(failsafe());
      case RESILIENCE4J -> client.addInterceptor(resilience4j());
    };
  }

  private static Paceline paceline() {
    Limit limit = Limit.of(PERMITS).per(Duration.ofSeconds(1)).burst(PERMITS);
    return Paceline.builder()
        .upstream("api", u -> u.hosts("localhost", "127.0.0.1").limit(limit))
        .build();
  }

  private static Interceptor failsafe() {
    FailsafeExecutor<Response> executor =
        Failsafe.with(
            dev.failsafe.RetryPolicy.<Response>builder()
                .handle(IOException.class)
                .handleResultIf(response -> response.code() >= 500)
                .withMaxRetries(3)
                .build());
    return chain -> executor.get(() -> chain.proceed(chain.request()));
  }

  private static Interceptor resilience4j() {
    RateLimiter limiter =
        RateLimiter.of(
            "api",
            RateLimiterConfig.custom()
                .limitForPeriod(PERMITS)
                .limitRefreshPeriod(Duration.ofSeconds(1))
                .build());
    Retry retry =
        Retry.of(
            "api",
            RetryConfig.<Response>custom()
                .maxAttempts(4)
                .retryOnResult(response -> response.code() >= 500)
                .build());
    return chain -> {
      Callable<Response> call =
          Retry.decorateCallable(
              retry, RateLimiter.decorateCallable(limiter, () -> chain.proceed(chain.request())));
      try {
        return call.call();
      } catch (IOException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
    };
  }

  private Response answer(Interceptor.Chain chain) {
    return new Response.Builder()
        .request(chain.request())
        .protocol(Protocol.HTTP_1_1)
        .code(200)
        .message("OK")
        .header("Content-Type", "application/json")
        .header("Date", "Thu, 15 Jan 2026 12:00:00 GMT")
        .body(ResponseBody.EMPTY)
        .build();
  }

  /** A call that an inner interceptor answers. */
  @Benchmark
  public int answered() throws IOException {
    try (Response response = answering.newCall(unsent).execute()) {
      return response.code();
    }
  }

  /** A call to a server on this machine. */
  @Benchmark
  public int loopback() throws IOException {
    try (Response response = plain.newCall(request).execute()) {
      return response.body().bytes().length;
    }
  }

  /** Stops the server. */
  @TearDown
  public void stop() {
    server.close();
  }
}
