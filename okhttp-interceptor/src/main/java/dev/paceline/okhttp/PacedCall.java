package dev.paceline.okhttp;

import dev.paceline.Upstream;
import dev.paceline.retry.RetrySession;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import kotlin.jvm.functions.Function0;
import kotlin.reflect.KClass;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.EventListener;
import okhttp3.Request;
import okhttp3.Response;
import okio.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * A call whose {@code enqueue} waits outside OkHttp. It stands on a call of OkHttp, which is its
 * first attempt and keeps its tags, timeout and cancellation; further attempts are calls of their
 * own, with the same listeners and tags. Thread-safe.
 */
final class PacedCall implements Call {

  private final PacelineCallFactory factory;
  private final Upstream upstream;
  private final Request request;
  private final Call first;
  private final AtomicBoolean enqueued = new AtomicBoolean();
  private final List<Consumer<Call>> onEachAttempt = new CopyOnWriteArrayList<>();
  private volatile @Nullable Call current;

  PacedCall(PacelineCallFactory factory, Upstream upstream, Request request) {
    this.factory = factory;
    this.upstream = upstream;
    this.request = request;
    this.first = factory.client().newCall(request);
  }

  @Override
  public Request request() {
    return request;
  }

  @Override
  public Response execute() throws IOException {
    if (enqueued.get()) {
      throw new IllegalStateException("Already Executed");
    }
    return first.execute();
  }

  @Override
  public void enqueue(Callback callback) {
    if (first.isExecuted() || !enqueued.compareAndSet(false, true)) {
      throw new IllegalStateException("Already Executed");
    }
    long timeout = first.timeout().timeoutNanos();
    long deadline =
        timeout == 0 ? RetrySession.NO_DEADLINE : factory.paceline().time().nanoTime() + timeout;
    Exchange exchange = new Exchange(factory.paceline(), upstream, request, deadline);
    AsyncAttempts attempts = new AsyncAttempts(this, exchange, factory);
    new Delivery(this, callback, factory.paceline().executor())
        .of(factory.driver().callAsync(exchange.session(), attempts, deadline), exchange);
  }

  /** The call of the next attempt, which cancelling this one cancels. */
  Call attempt(Request sent, boolean isFirst) {
    Call next = isFirst && sent == request ? first : factory.client().newCall(sent);
    if (next != first) {
      onEachAttempt.forEach(prepare -> prepare.accept(next));
      current = next;
      if (first.isCanceled()) {
        next.cancel();
      }
    }
    return next;
  }

  @Override
  public void cancel() {
    first.cancel();
    Call attempt = current;
    if (attempt != null) {
      attempt.cancel();
    }
  }

  @Override
  public boolean isExecuted() {
    return enqueued.get() || first.isExecuted();
  }

  @Override
  public boolean isCanceled() {
    return first.isCanceled();
  }

  @Override
  public Timeout timeout() {
    return first.timeout();
  }

  @Override
  public void addEventListener(EventListener listener) {
    first.addEventListener(listener);
    onEachAttempt.add(call -> call.addEventListener(listener));
  }

  @Override
  public <T> @Nullable T tag(KClass<T> type) {
    return first.tag(type);
  }

  @Override
  public <T> @Nullable T tag(Class<? extends T> type) {
    return first.tag(type);
  }

  @Override
  public <T> T tag(KClass<T> type, Function0<? extends T> computeIfAbsent) {
    T tag = first.tag(type, computeIfAbsent);
    onEachAttempt.add(call -> call.tag(type, () -> tag));
    return tag;
  }

  @Override
  public <T> T tag(Class<T> type, Function0<? extends T> computeIfAbsent) {
    T tag = first.tag(type, computeIfAbsent);
    onEachAttempt.add(call -> call.tag(type, () -> tag));
    return tag;
  }

  /** A new call: it is not executed, and gets an idempotency key of its own. */
  @Override
  @SuppressWarnings("MethodDoesntCallSuperMethod")
  public Call clone() {
    return new PacedCall(factory, upstream, request);
  }
}
