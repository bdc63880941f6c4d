package dev.paceline.examples;

import java.io.IOException;
import java.util.Optional;
import okhttp3.Call;
import okhttp3.Interceptor;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** What becomes of one call; rides on its request. Thread-safe. */
final class CallRecord {
  private final Load load;
  private long waitingSince;
  private long waitNanos;
  private boolean wasAllowed;
  private boolean waiting = true;
  private boolean abandoned;
  private @Nullable Call call;

  CallRecord(Load load, long asked) {
    this.load = load;
    this.waitingSince = asked;
  }

  /** Times the attempts; sits just below Paceline, so it is reached when a permit is there. */
  static Interceptor interceptor() {
    return chain -> {
      CallRecord record = chain.request().tag(CallRecord.class);
      return record == null ? chain.proceed(chain.request()) : record.attempt(chain);
    };
  }

  private Response attempt(Interceptor.Chain chain) throws IOException {
    allowed(load.now());
    try {
      return chain.proceed(chain.request());
    } finally {
      asked(load.now());
    }
  }

  private synchronized void allowed(long now) {
    waitNanos += now - waitingSince;
    wasAllowed = true;
    waiting = false;
  }

  private synchronized void asked(long now) {
    waitingSince = now;
    waiting = true;
  }

  /** The call that {@link #abandon} cancels. */
  synchronized void is(Call begun) {
    call = begun;
  }

  /** Cancels the call if it waits: it is over, and does not count. */
  void abandon() {
    Call cancelled;
    synchronized (this) {
      abandoned = waiting;
      cancelled = call;
    }
    if (isAbandoned() && cancelled != null) {
      cancelled.cancel();
    }
  }

  synchronized boolean isAbandoned() {
    return abandoned;
  }

  /** The time from asking to being allowed to send, over all attempts; empty if it never was. */
  synchronized Optional<Long> waited() {
    return wasAllowed ? Optional.of(waitNanos) : Optional.empty();
  }
}
