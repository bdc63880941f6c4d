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
  static final AtomicBoolean TWO = new AtomicBoolean();
  static final AtomicBoolean HALF = new AtomicBoolean();

  /** The attempt that runs on this thread now. */
  private static final ThreadLocal<@Nullable CallProbe> CURRENT = new ThreadLocal<>();

  private Layers() {}

  /** The attempt around this one of the same request, if there is one. */
  static @Nullable CallProbe around(Request request) {
    CallProbe outer = CURRENT.get();
    Request carried = outer == null ? null : outer.attempted();
    // A call for another address, as an interceptor makes to renew a token, is a call of its own.
    boolean same =
        carried != null
            && carried.method().equals(request.method())
            && carried.url().equals(request.url());
    return same ? outer : null;
  }

  /** Marks this thread; {@link #leave} must follow with what this returns. */
  static @Nullable CallProbe enter(Request request, CallProbe probe) {
    CallProbe outer = CURRENT.get();
    probe.attempt(request);
    CURRENT.set(probe);
    return outer;
  }

  static void leave(@Nullable CallProbe outer) {
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
