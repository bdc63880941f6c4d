package dev.paceline.examples;

import dev.paceline.okhttp.CallOptions;
import dev.paceline.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.Request;
import okhttp3.Response;
import okio.Okio;

/**
 * Starts calls and counts what comes of them.
 *
 * <p>In a closed loop a caller starts its next call when its last one has ended; in an open loop
 * calls start at their rate, however slow they are.
 */
final class Load {
  /** What is still being sent when the time is over has this long to end. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final TimeSource time;
  private final Tally tally;
  private final Plan plan;
  private final Call.Factory calls;
  private final Request request;
  private final CallOptions options;
  private final Semaphore free;
  private final Set<CallRecord> open = ConcurrentHashMap.newKeySet();

  /**
   * How much is started.
   *
   * @param callers calls at the same time; not regarded in an open loop
   * @param calls at most so many
   * @param lasting at most so long; empty: until all calls have ended
   * @param perSecond calls a second of an open loop; empty: a closed loop
   * @param async whether calls are enqueued instead of executed
   */
  record Plan(
      int callers,
      long calls,
      Optional<Duration> lasting,
      Optional<Double> perSecond,
      boolean async) {}

  Load(
      TimeSource time,
      Tally tally,
      Plan plan,
      Call.Factory calls,
      Request request,
      CallOptions options) {
    this.time = time;
    this.tally = tally;
    this.plan = plan;
    this.calls = calls;
    this.request = request;
    this.options = options;
    this.free = new Semaphore(plan.perSecond().isPresent() ? Integer.MAX_VALUE : plan.callers());
  }

  long now() {
    return time.nanoTime();
  }

  /** Runs to the end, and says how long it took. */
  Duration run() throws InterruptedException {
    long began = now();
    Optional<Long> end = plan.lasting().map(lasting -> began + nanos(lasting));
    int permits = free.availablePermits();
    try (Callers callers = new Callers()) {
      for (long i = 0; i < plan.calls() && untilStart(i, began, end) && enter(end); i++) {
        start(callers);
      }
      if (end.isEmpty()) {
        free.acquire(permits);
      } else if (!free.tryAcquire(
          permits, leftNanos(end) + GRACE.toNanos(), TimeUnit.NANOSECONDS)) {
        open.forEach(CallRecord::abandon);
        free.acquire(permits);
      }
    }
    return Duration.ofNanos(now() - began);
  }

  private static long nanos(Duration duration) {
    return Math.min(Long.MAX_VALUE / 4, TimeUnit.NANOSECONDS.convert(duration));
  }

  private long leftNanos(Optional<Long> end) {
    return end.map(at -> Math.max(0, at - now())).orElse(Long.MAX_VALUE);
  }

  /** Waits until a call of an open loop is due; false if the time is over. */
  private boolean untilStart(long index, long began, Optional<Long> end) {
    if (plan.perSecond().isPresent()) {
      long due = began + (long) (index * 1e9 / plan.perSecond().get());
      while (due - now() > 0 && leftNanos(end) > 0) {
        time.park(this, Math.min(due - now(), leftNanos(end)));
      }
    }
    return leftNanos(end) > 0;
  }

  /** Waits for a caller that is free; false if the time is over. */
  private boolean enter(Optional<Long> end) throws InterruptedException {
    return free.tryAcquire(leftNanos(end), TimeUnit.NANOSECONDS);
  }

  private void start(Callers callers) {
    CallRecord record = new CallRecord(this, now());
    Call call =
        calls.newCall(options.on(request.newBuilder()).tag(CallRecord.class, record).build());
    record.is(call);
    open.add(record);
    if (plan.async()) {
      call.enqueue(new Counted(record));
    } else {
      callers.run(() -> execute(call, record));
    }
  }

  private void execute(Call call, CallRecord record) {
    try {
      ended(record, call.execute());
    } catch (IOException | RuntimeException e) {
      ended(record, e);
    }
  }

  private final class Counted implements Callback {
    private final CallRecord record;

    Counted(CallRecord record) {
      this.record = record;
    }

    @Override
    public void onResponse(Call call, Response response) {
      ended(record, response);
    }

    @Override
    public void onFailure(Call call, IOException e) {
      ended(record, e);
    }
  }

  private void ended(CallRecord record, Response response) {
    try (response) {
      response.body().source().readAll(Okio.blackhole());
    } catch (IOException e) {
      ended(record, e);
      return;
    }
    tally.answered(record, response.code());
    leave(record);
  }

  private void ended(CallRecord record, Exception failure) {
    if (!record.isAbandoned()) {
      tally.failed(record, failure);
    }
    leave(record);
  }

  private void leave(CallRecord record) {
    open.remove(record);
    free.release();
  }
}
