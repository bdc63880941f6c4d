package dev.paceline.okhttp;

import dev.paceline.AcquireOptions;
import dev.paceline.Acquisition;
import dev.paceline.Paceline;
import dev.paceline.PacelineException;
import dev.paceline.Permit;
import dev.paceline.Scope;
import dev.paceline.Upstream;
import dev.paceline.feedback.Reading;
import dev.paceline.retry.Attempted;
import dev.paceline.retry.CircuitOpenException;
import dev.paceline.retry.IdempotencyKeys;
import dev.paceline.retry.Outcome;
import dev.paceline.retry.RequestTraits;
import dev.paceline.retry.RetryReport;
import dev.paceline.retry.RetrySession;
import dev.paceline.retry.StopReason;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import okhttp3.Connection;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * One logical call to an upstream: what blocking and asynchronous ones have in common. For one
 * thread at a time.
 */
final class Exchange {

  private final Paceline paceline;
  private final Upstream upstream;
  private final CallOptions options;
  private final Request request;
  private final Scope scope;
  private final RetrySession session;
  private final long deadline;

  /** When the first attempt asked for its permit. */
  private long asked;

  private String lastOutcome = "";
  private @Nullable Connection connection;

  /**
   * Begins a logical call: its idempotency key is made here, and nowhere else.
   *
   * @param deadline on Paceline's ticker, or {@link RetrySession#NO_DEADLINE}
   */
  Exchange(Paceline paceline, Upstream upstream, Request original, long deadline) {
    this.paceline = paceline;
    this.upstream = upstream;
    this.options = CallOptions.of(original);
    this.deadline = deadline;
    this.request = keyed(original);
    this.scope = scope(upstream, request, options);
    boolean hasKey = request.header(upstream.idempotencyKeyHeader()) != null;
    RequestTraits traits =
        new RequestTraits(
            request.method(), hasKey, Bodies.claimsReplay(request.body()), options.isIdempotent());
    this.session = upstream.retries().begin(traits, Nanos.of(longestWait()));
  }

  static Scope scope(Upstream upstream, Request request, CallOptions options) {
    OkHttpRequestView view = new OkHttpRequestView(request);
    return options.owner().isEmpty() && options.tier().isEmpty()
        ? upstream.scope(view)
        : upstream.scope(view, options.owner(), options.tier());
  }

  private Request keyed(Request original) {
    Optional<IdempotencyKeys> keys = upstream.idempotencyKeys();
    boolean wanted =
        options.idempotencyKey().orElse(keys.isPresent() && !isIdempotent(original.method()));
    String header = upstream.idempotencyKeyHeader();
    if (!wanted || original.header(header) != null) {
      return original;
    }
    String key = keys.orElseGet(() -> IdempotencyKeys.named(header)).forCall(Optional.empty());
    return original.newBuilder().header(header, key).build();
  }

  private boolean isIdempotent(String method) {
    return upstream.retries().rules().idempotentMethods().contains(method);
  }

  private Duration longestWait() {
    return options.maxWait().orElse(paceline.maxWait());
  }

  Upstream upstream() {
    return upstream;
  }

  RetrySession session() {
    return session;
  }

  long deadline() {
    return deadline;
  }

  /** What goes out in an attempt. */
  Request request(int attempt) {
    if (options.attemptHeader().isEmpty()) {
      return request;
    }
    return request
        .newBuilder()
        .header(options.attemptHeader().get(), Integer.toString(attempt))
        .build();
  }

  /** Asks for the permit of an attempt; a retry keeps the age of its call. */
  Acquisition acquire(int attempt, long notBefore) {
    AcquireOptions terms = bounded(paceline, options, deadline);
    if (attempt > 1) {
      Duration delay = Duration.ofNanos(Math.max(0, notBefore - paceline.time().nanoTime()));
      terms = terms.age(asked).notBefore(delay);
      upstream.journal().retrying(attempt, delay, lastOutcome);
    }
    Acquisition acquisition = scope.acquire(terms);
    if (attempt == 1) {
      asked = acquisition.askedNanos();
    }
    return acquisition;
  }

  /** How long it is until an instant of Paceline's ticker; negative if it has passed. */
  long untilNanos(long instant) {
    return instant - paceline.time().nanoTime();
  }

  /** The terms of a wait that begins now: it must also fit into what is left of the call. */
  static AcquireOptions bounded(Paceline paceline, CallOptions options, long deadline) {
    if (deadline == RetrySession.NO_DEADLINE) {
      return options.acquire();
    }
    long left = Math.max(0, deadline - paceline.time().nanoTime());
    Duration longest = options.maxWait().orElse(paceline.maxWait());
    Duration room = Duration.ofNanos(left);
    return options.acquire().maxWait(room.compareTo(longest) < 0 ? room : longest);
  }

  /** There was a response. */
  Attempted<Response> answered(Response received, CallProbe probe) {
    connection = probe.connection();
    Permit flying = probe.flying();
    Response response = flying == null ? received : InFlightBody.of(received, flying);
    Reading reading = Readings.read(probe.payer(), response, upstream, paceline);
    Outcome.Responded outcome = new Outcome.Responded(response.code(), reading);
    if (response.code() >= 400 || reading.throttled()) {
      lastOutcome = "HTTP " + response.code();
      examine(outcome, probe);
    }
    return new Attempted.Response<>(response, outcome);
  }

  /**
   * There was none.
   *
   * @throws CallCancelledException if that is because the call was cancelled
   */
  Attempted<Response> failed(IOException cause, CallProbe probe) throws CallCancelledException {
    if (probe.isCancelled()) {
      throw new CallCancelledException(cause);
    }
    boolean sent = probe.requestsOfAttempt() > 0;
    if (sent && Unprocessed.proves(cause) && Bodies.isThereAgain(probe.body(), probe.bodyBytes())) {
      sent = false;
    }
    Outcome.Failed outcome = new Outcome.Failed(cause, sent, !sent && connectFailure(cause, probe));
    lastOutcome = cause.getClass().getSimpleName();
    examine(outcome, probe);
    return new Attempted.Failure<>(outcome);
  }

  private static boolean connectFailure(IOException cause, CallProbe probe) {
    return probe.connectFailed()
        || cause instanceof UnknownHostException
        || cause instanceof ConnectException
        || cause instanceof NoRouteToHostException;
  }

  private void examine(Outcome outcome, CallProbe probe) {
    session.repeatedBelow(probe.repeats());
    boolean wanted =
        probe.body() != null
            && upstream.retries().policy().maxAttempts() > session.attempts() + 1
            && upstream.retries().rules().stop(outcome, session.traits()).isEmpty();
    if (wanted && !Bodies.isThereAgain(probe.body(), probe.bodyBytes())) {
      session.bodyIsGone();
    }
  }

  void discard(Response response) {
    Bodies.letGo(response, connection);
  }

  /**
   * The response that the caller gets: the last one as it is, unless the provider asks for more
   * patience than the call has, or its quota is spent.
   */
  Response delivered(Response response) throws PacelineException {
    StopReason why = session.stopped();
    if (why == StopReason.SUCCESS && session.attempts() == 1) {
      return response;
    }
    RetryReport report = session.report();
    upstream.journal().ended(report);
    Optional<Duration> wait = report.providerWait();
    if (why == StopReason.QUOTA_EXHAUSTED) {
      PacelineException spent =
          upstream.journal().quotaExhausted(scope, wait.orElse(Duration.ZERO));
      throw closing(response, spent);
    }
    if (why == StopReason.DEADLINE && wait.isPresent()) {
      PacelineException tooLong = upstream.journal().tooLong(scope, wait.get(), patience());
      throw closing(response, tooLong);
    }
    Request reported = response.request().newBuilder().tag(RetryReport.class, report).build();
    return response.newBuilder().request(reported).build();
  }

  private PacelineException closing(Response response, PacelineException refusal) {
    refusal.initCause(new RefusedResponse(response));
    discard(response);
    return refusal;
  }

  private Duration patience() {
    if (deadline == RetrySession.NO_DEADLINE) {
      return longestWait();
    }
    Duration left = Duration.ofNanos(Math.max(0, deadline - paceline.time().nanoTime()));
    return left.compareTo(longestWait()) < 0 ? left : longestWait();
  }

  /** The exception that the caller gets. */
  IOException thrown(IOException error) {
    if (error instanceof CallCancelledException cancelled) {
      return cancelled.asOkHttpSays();
    }
    if (error instanceof CircuitOpenException open) {
      return upstream.journal().refused(open);
    }
    upstream.journal().ended(session.report());
    return error;
  }
}
