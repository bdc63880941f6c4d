package dev.paceline.okhttp;

import dev.paceline.Acquisition;
import dev.paceline.Paceline;
import dev.paceline.Permit;
import dev.paceline.Upstream;
import dev.paceline.WaitCancelledException;
import dev.paceline.retry.RetrySession;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.util.List;
import kotlin.jvm.JvmClassMappingKt;
import kotlin.reflect.KClass;
import okhttp3.Call;
import okhttp3.Connection;
import okhttp3.EventListener;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Listens to one OkHttp call: counts its requests on the wire, knows whether anything was sent at
 * all, and wakes its wait when it is cancelled or times out.
 *
 * <p>One for each call, kept as a tag of it, since a listener cannot be removed. OkHttp cancels by
 * writing its flag and then telling the listeners; a wait here is entered by adding the listener,
 * announcing the acquisition and then reading the flag. So one of the two sees the other.
 *
 * <p>Used by the thread that runs the call, but for cancellation and connecting.
 */
final class CallProbe extends EventListener {

  /** Kept, because OkHttp would make one for each look-up. */
  static final KClass<CallProbe> TYPE = JvmClassMappingKt.getKotlinClass(CallProbe.class);

  private final Call call;
  private final Paceline paceline;
  private final long deadline;
  private final int requestsBefore;

  private volatile boolean cancelled;
  private volatile @Nullable Acquisition waiting;
  private volatile boolean connectFailed;
  private volatile @Nullable Connection connection;

  /** The permit of a call that counts as one in flight. */
  private volatile @Nullable Permit flying;

  private boolean entered;
  private boolean driven;
  private boolean wired;
  private @Nullable CallProbe outer;

  private @Nullable Permit held;
  private @Nullable Permit lastPermit;
  private @Nullable Upstream upstream;
  private int requests;

  // Of the current attempt.
  private int requestsAtBegin;
  private int repeats;
  private @Nullable Request attempted;
  private @Nullable RequestBody body;
  private @Nullable Request followUp;
  private long bodyBytes = -1;
  private @Nullable List<String> heldRetryAfter;

  private CallProbe(Call call, Paceline paceline, long deadline, int requestsBefore) {
    this.call = call;
    this.paceline = paceline;
    this.deadline = deadline;
    this.requestsBefore = requestsBefore;
  }

  /** The probe of the call, added now if it has none. */
  static CallProbe of(Call call, Paceline paceline) {
    CallProbe known = call.tag(TYPE);
    if (known != null) {
      return known;
    }
    long timeout = call.timeout().timeoutNanos();
    long deadline = timeout == 0 ? RetrySession.NO_DEADLINE : paceline.time().nanoTime() + timeout;
    return attach(new CallProbe(call, paceline, deadline, 0));
  }

  /**
   * The probe of one attempt that somebody else drives: the interceptor lets it pass.
   *
   * @param deadline of the whole logical call, on Paceline's ticker
   * @param requestsBefore requests on the wire by earlier attempts
   */
  static CallProbe driven(Call call, Paceline paceline, long deadline, int requestsBefore) {
    CallProbe probe = new CallProbe(call, paceline, deadline, requestsBefore);
    probe.driven = true;
    return attach(probe);
  }

  private static CallProbe attach(CallProbe probe) {
    probe.call.tag(TYPE, () -> probe);
    probe.call.addEventListener(probe);
    return probe;
  }

  /** True for the first Paceline that comes to the call; it does the work. */
  boolean enter() {
    boolean first = !entered;
    entered = true;
    return first;
  }

  /** True if the waits and retries of this call are made elsewhere. */
  boolean isDriven() {
    return driven;
  }

  /** The call carries a call of another client on, whose Paceline does the work. */
  void carry(CallProbe other) {
    outer = other;
    driven = true;
  }

  /** The probe that holds the permits: the outermost. */
  CallProbe payer() {
    CallProbe other = outer;
    return other == null ? this : other.payer();
  }

  boolean isOf(Paceline other) {
    return paceline == other;
  }

  /** Whether the Paceline that has the call knows an upstream of this host. */
  boolean knows(String host) {
    return paceline.upstreamOf(host).isPresent();
  }

  long deadline() {
    return deadline;
  }

  /** Nanoseconds left of the call's timeout; {@link Long#MAX_VALUE} if it has none. */
  long remainingNanos(long now) {
    return deadline == RetrySession.NO_DEADLINE ? Long.MAX_VALUE : Math.max(0, deadline - now);
  }

  /** Announces a wait, so that cancelling the call ends it. */
  void waitFor(Acquisition acquisition) {
    waiting = acquisition;
    if (isCancelled()) {
      acquisition.cancel();
    }
  }

  void waitIsOver() {
    waiting = null;
  }

  /**
   * Waits for a permit, parking this thread.
   *
   * @throws CallCancelledException if the call was cancelled or timed out meanwhile
   */
  Permit await(Acquisition acquisition) throws IOException {
    if (acquisition.isDone()) {
      return acquisition.permit();
    }
    waitFor(acquisition);
    try {
      return acquisition.await();
    } catch (WaitCancelledException e) {
      throw new CallCancelledException(e);
    } finally {
      waitIsOver();
    }
  }

  boolean isCancelled() {
    return cancelled || call.isCanceled();
  }

  /** Forgets what the attempt before has left. */
  void beginAttempt() {
    requestsAtBegin = requests;
    repeats = 0;
    body = null;
    bodyBytes = -1;
    followUp = null;
    connectFailed = false;
    heldRetryAfter = null;
  }

  /** The next request on the wire uses this permit. */
  void hold(Permit next, Upstream of) {
    landed();
    held = next;
    lastPermit = next;
    upstream = of;
    flying = next.isInFlight() ? next : null;
  }

  /** The permit that the next request on the wire uses, if one is held. */
  @Nullable Permit held() {
    return held;
  }

  /** The upstream of the last permit. */
  @Nullable Upstream upstream() {
    return upstream;
  }

  /** The permit of the last request. */
  @Nullable Permit lastPermit() {
    return lastPermit;
  }

  /** Gives the held permit back if no request used it. */
  void giveBackUnused() {
    Permit unused = held;
    held = null;
    if (unused != null) {
      unused.giveBack();
    }
  }

  /** The permit of the call that is in flight, if those are limited. */
  @Nullable Permit flying() {
    return flying;
  }

  /** The last request is over, and so is its response. */
  void landed() {
    Permit over = flying;
    if (over != null) {
      flying = null;
      over.close();
    }
  }

  /** The request that goes out now belongs to nobody's limits. */
  void unlimited() {
    giveBackUnused();
    landed();
    lastPermit = null;
    upstream = null;
  }

  /** Requests on the wire so far, those of earlier attempts included. */
  int requests() {
    return requestsBefore + requests;
  }

  /** Requests on the wire in this attempt. */
  int requestsOfAttempt() {
    return requests - requestsAtBegin;
  }

  /** How often OkHttp has sent a failed request of this attempt again by itself. */
  int repeats() {
    return repeats;
  }

  boolean connectFailed() {
    return connectFailed;
  }

  /** The connection that the last request used. */
  @Nullable Connection connection() {
    return connection;
  }

  /** True once the network interceptor has seen this call, so that follow-ups are paid for. */
  boolean isWired() {
    return wired;
  }

  void wired(Request request) {
    wired = true;
    body = request.body();
    bodyBytes = -1;
  }

  /** This request goes down OkHttp's chain now. */
  void attempt(Request request) {
    attempted = request;
  }

  /** What went down OkHttp's chain last. */
  @Nullable Request attempted() {
    return attempted;
  }

  /** The body of the last request, as it was sent. */
  @Nullable RequestBody body() {
    return body;
  }

  /** How many bytes of it were sent; -1 if not all. */
  long bodyBytes() {
    return bodyBytes;
  }

  /** The values that OkHttp must not see and the application does; null if it sees the header. */
  void holdRetryAfter(@Nullable List<String> values) {
    heldRetryAfter = values;
  }

  @Nullable List<String> heldRetryAfter() {
    return heldRetryAfter;
  }

  @Override
  public void requestHeadersStart(Call started) {
    CallProbe other = outer;
    if (other != null) {
      other.requestHeadersStart(started);
    }
    requests++;
    Permit used = held;
    held = null;
    if (used != null) {
      used.sent();
    } else if (!wired && outer == null) {
      chargeFollowUp();
    }
    Upstream to = upstream;
    if (to != null) {
      to.journal().attempted(requests());
    }
  }

  /** Nothing stood in the way of this request, so it is charged when it is too late to wait. */
  private void chargeFollowUp() {
    Layers.warnOfHalf();
    Request request = followUp;
    if (request == null) {
      return;
    }
    upstream = paceline.upstreamOf(request.url().host()).orElse(null);
    if (upstream != null) {
      CallOptions options = CallOptions.of(request);
      Exchange.scope(upstream, request, options).charge(options.acquire());
    }
  }

  @Override
  public void requestBodyEnd(Call sending, long byteCount) {
    bodyBytes = byteCount;
  }

  @Override
  public void connectionAcquired(Call acquiring, Connection acquired) {
    connection = acquired;
  }

  @Override
  public void connectFailed(
      Call failing,
      InetSocketAddress address,
      Proxy proxy,
      @Nullable Protocol protocol,
      IOException cause) {
    connectFailed = true;
  }

  @Override
  public void retryDecision(Call failing, IOException cause, boolean retry) {
    if (retry && requestsOfAttempt() > 0) {
      repeats++;
    }
  }

  @Override
  public void followUpDecision(Call answered, Response response, @Nullable Request next) {
    followUp = next;
    if (next == null) {
      return;
    }
    if (response.code() == 408 || response.code() == 503 || response.code() == 421) {
      repeats++;
    }
    // The last response is read by who delivers it.
    Readings.learn(payer(), response, paceline);
  }

  @Override
  public void canceled(Call ending) {
    cancelled = true;
    Acquisition wait = waiting;
    if (wait != null) {
      wait.cancel();
    }
    landed();
  }
}
