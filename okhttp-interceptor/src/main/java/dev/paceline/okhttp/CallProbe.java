package dev.paceline.okhttp;

import dev.paceline.AcquireOptions;
import dev.paceline.Acquisition;
import dev.paceline.Paceline;
import dev.paceline.Permit;
import dev.paceline.Upstream;
import dev.paceline.WaitCancelledException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.time.Duration;
import java.util.List;
import okhttp3.Call;
import okhttp3.Connection;
import okhttp3.EventListener;
import okhttp3.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Listens to one OkHttp call: counts its requests on the wire, knows whether anything was sent at
 * all, and wakes its wait when it is cancelled or times out.
 *
 * <p>One for each call, kept as a tag of it, since a listener cannot be removed. OkHttp cancels by
 * writing its flag and then telling the listeners; a wait here is entered by adding the listener,
 * announcing the acquisition and then reading the flag. So one of the two sees the other.
 *
 * <p>Written by the thread that runs the call, but for cancellation and connecting.
 */
final class CallProbe extends EventListener {

  private final Call call;
  private final long began;
  private volatile boolean cancelled;
  private volatile @Nullable Acquisition waiting;
  private volatile boolean connectFailed;
  private volatile @Nullable Connection connection;
  private int requests;
  private boolean entered;
  private boolean wired;
  private @Nullable Permit permit;
  private @Nullable Upstream upstream;
  private @Nullable List<String> heldRetryAfter;

  private CallProbe(Call call, long began) {
    this.call = call;
    this.began = began;
  }

  /** The probe of the call, added now if it has none. */
  static CallProbe of(Call call, long now) {
    CallProbe known = call.tag(CallProbe.class);
    if (known != null) {
      return known;
    }
    CallProbe probe = new CallProbe(call, now);
    call.tag(CallProbe.class, () -> probe);
    call.addEventListener(probe);
    return probe;
  }

  /** True for the first Paceline that comes to the call; it does the work. */
  boolean enter() {
    boolean first = !entered;
    entered = true;
    return first;
  }

  boolean hasEntered() {
    return entered;
  }

  /** The options of a wait that begins now: it must also fit into what is left of the call. */
  AcquireOptions bounded(CallOptions options, Paceline paceline) {
    long left = remainingNanos(paceline.time().nanoTime());
    if (left == Long.MAX_VALUE) {
      return options.acquire();
    }
    Duration longest = options.maxWait().orElse(paceline.maxWait());
    Duration room = Duration.ofNanos(left);
    return options.acquire().maxWait(room.compareTo(longest) < 0 ? room : longest);
  }

  /** Nanoseconds left of OkHttp's call timeout; {@link Long#MAX_VALUE} if it has none. */
  long remainingNanos(long now) {
    long timeout = call.timeout().timeoutNanos();
    return timeout == 0 ? Long.MAX_VALUE : Math.max(0, timeout - (now - began));
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
    waiting = acquisition;
    if (isCancelled()) {
      acquisition.cancel();
    }
    try {
      return acquisition.await();
    } catch (WaitCancelledException e) {
      throw new CallCancelledException(e);
    } finally {
      waiting = null;
    }
  }

  boolean isCancelled() {
    return cancelled || call.isCanceled();
  }

  /** The next request on the wire uses this permit. */
  void hold(Permit next, Upstream of) {
    permit = next;
    upstream = of;
    connectFailed = false;
  }

  /** The permit that the next request on the wire uses, if one is held. */
  @Nullable Permit held() {
    return permit;
  }

  @Nullable Upstream upstream() {
    return upstream;
  }

  /** Gives the held permit back if no request used it. */
  void giveBackUnused() {
    Permit unused = permit;
    permit = null;
    if (unused != null) {
      unused.giveBack();
    }
  }

  /** Requests on the wire so far, by all layers below. */
  int requests() {
    return requests;
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

  void wired() {
    wired = true;
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
    requests++;
    Permit used = permit;
    permit = null;
    if (used != null) {
      used.sent();
    }
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
  public void canceled(Call ending) {
    cancelled = true;
    Acquisition wait = waiting;
    if (wait != null) {
      wait.cancel();
    }
  }
}
