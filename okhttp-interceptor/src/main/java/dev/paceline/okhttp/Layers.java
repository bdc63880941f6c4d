package dev.paceline.okhttp;

import java.util.concurrent.atomic.AtomicBoolean;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds a second Paceline on the way of one call: twice on a client, or on two clients of which one
 * carries on the calls of the other.
 */
final class Layers {

  private static final Logger log = LoggerFactory.getLogger(PacelineInterceptor.class);
  private static final AtomicBoolean TWO = new AtomicBoolean();
  private static final AtomicBoolean HALF = new AtomicBoolean();

  /** The attempt that runs on this thread now. */
  private static final ThreadLocal<@Nullable Layers> CURRENT = new ThreadLocal<>();

  private final Request request;
  private final CallProbe probe;

  private Layers(Request request, CallProbe probe) {
    this.request = request;
    this.probe = probe;
  }

  /** The attempt around this one of the same request, if there is one. */
  static @Nullable CallProbe around(Request request) {
    Layers outer = CURRENT.get();
    // A call for another address, as an interceptor makes to renew a token, is a call of its own.
    boolean same =
        outer != null
            && outer.request.method().equals(request.method())
            && outer.request.url().equals(request.url());
    return same ? outer.probe : null;
  }

  /** Marks this thread; {@link #leave} must follow with what this returns. */
  static @Nullable Layers enter(Request request, CallProbe probe) {
    Layers outer = CURRENT.get();
    CURRENT.set(new Layers(request, probe));
    return outer;
  }

  static void leave(@Nullable Layers outer) {
    CURRENT.set(outer);
  }

  static void warnOfTwo() {
    if (TWO.compareAndSet(false, true)) {
      log.warn(
          "Two Pacelines stand on one call; the inner one lets it pass, so that limits and retries"
              + " apply once. Install one, on the outermost client");
    }
  }

  static void warnOfHalf() {
    if (HALF.compareAndSet(false, true)) {
      log.warn(
          "Only the application interceptor is installed: what OkHttp repeats or follows by itself"
              + " is charged afterwards, but neither paced nor stopped. Use PacelineOkHttp.install");
    }
  }
}
