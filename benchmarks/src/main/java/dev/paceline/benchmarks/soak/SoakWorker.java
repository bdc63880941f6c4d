package dev.paceline.benchmarks.soak;

import dev.paceline.Paceline;
import dev.paceline.limit.Limit;
import dev.paceline.okhttp.PacelineCallFactory;
import dev.paceline.okhttp.PacelineOkHttp;
import dev.paceline.redis.RedisBuckets;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/**
 * One worker of the fleet, with callers of its own: half of them block, half enqueue, and some give
 * up.
 */
final class SoakWorker implements AutoCloseable {

  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(4);

  private final Paceline paceline;
  private final OkHttpClient client;
  private final PacelineCallFactory calls;
  private final Request request;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final List<Thread> callers = new ArrayList<>();
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong succeeded = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final ConcurrentMap<String, LongAdder> exceptions = new ConcurrentHashMap<>();
  private final Queue<String> untyped = new ConcurrentLinkedQueue<>();
  private final AtomicLong endedTwice = new AtomicLong();
  private final AtomicLong longest = new AtomicLong();
  private volatile boolean stopping;

  /** A worker that keeps {@code limit} together with all others on that Redis. */
  SoakWorker(String redis, ShakyProvider provider, Limit limit, int workers) {
    paceline =
        Paceline.builder()
            .upstream("soak", u -> u.hosts(provider.host()).limit(limit).learnGuard(false))
            .sharedThrough(RedisBuckets.builder().uri(redis).expectedWorkers(workers).build())
            .maxWait(Duration.ofSeconds(3))
            .build();
    client =
        PacelineOkHttp.install(new OkHttpClient.Builder(), paceline)
            .callTimeout(CALL_TIMEOUT)
            .build();
    // One host, and as many calls to it as there are callers.
    client.dispatcher().setMaxRequestsPerHost(client.dispatcher().getMaxRequests());
    calls = PacelineCallFactory.of(client, paceline);
    request = new Request.Builder().url(provider.url()).build();
  }

  void start(int count, SplittableRandom random) {
    for (int i = 0; i < count; i++) {
      SplittableRandom own = random.split();
      boolean enqueues = i % 2 == 1;
      Thread caller = new Thread(() -> callOn(own, enqueues), "soak-caller-" + i);
      callers.add(caller);
      caller.start();
    }
  }

  private void callOn(SplittableRandom random, boolean enqueues) {
    while (!stopping) {
      Call call = enqueues ? calls.newCall(request) : client.newCall(request);
      if (random.nextInt(10) == 0) {
        var unused = timer.schedule(call::cancel, random.nextInt(200), TimeUnit.MILLISECONDS);
      }
      long start = System.nanoTime();
      begun.incrementAndGet();
      if (enqueues) {
        enqueue(call);
      } else {
        execute(call);
      }
      long took = System.nanoTime() - start;
      longest.accumulateAndGet(took, Math::max);
    }
  }

  private void execute(Call call) {
    try (Response response = call.execute()) {
      count(response);
    } catch (IOException | RuntimeException e) {
      count(e);
    }
  }

  private void enqueue(Call call) {
    Ending ending = new Ending();
    call.enqueue(ending);
    ending.await();
  }

  private void count(Response response) {
    (response.isSuccessful() ? succeeded : refused).incrementAndGet();
  }

  private void count(Exception e) {
    exceptions.computeIfAbsent(e.getClass().getSimpleName(), k -> new LongAdder()).increment();
    // The client turns what is no IOException into one that says so.
    if (!(e instanceof IOException) || String.valueOf(e.getMessage()).contains("canceled due to")) {
      untyped.add(e.toString());
    }
  }

  /** Calls so far. */
  long begun() {
    return begun.get();
  }

  /** Asks all callers to end, and waits for them. */
  void stop() throws InterruptedException {
    stopping = true;
    for (Thread caller : callers) {
      caller.join(CALL_TIMEOUT.toMillis() + 10_000);
    }
  }

  /** What went wrong; empty if nothing did. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (callers.stream().anyMatch(Thread::isAlive)) {
      faults.add("a call has not ended");
    }
    long failed = exceptions.values().stream().mapToLong(LongAdder::sum).sum();
    long ended = succeeded.get() + refused.get() + failed;
    if (ended != begun.get()) {
      faults.add(begun + " calls begun, " + ended + " ended");
    }
    if (!untyped.isEmpty()) {
      faults.add(untyped.size() + " exceptions of no type of their own: " + untyped.peek());
    }
    if (endedTwice.get() > 0) {
      faults.add(endedTwice + " calls ended more than once");
    }
    if (longest.get() > CALL_TIMEOUT.toNanos() + 2_000_000_000L) {
      faults.add("a call of " + TimeUnit.NANOSECONDS.toMillis(longest.get()) + " ms");
    }
    if (paceline.stats().queued() != 0) {
      faults.add(paceline.stats().queued() + " still queued");
    }
    int busy =
        client.connectionPool().connectionCount() - client.connectionPool().idleConnectionCount();
    if (busy != 0) {
      faults.add(busy + " connections still held");
    }
    if (client.connectionPool().connectionCount() > callers.size()) {
      faults.add(client.connectionPool().connectionCount() + " connections to the provider");
    }
    return faults;
  }

  String counts() {
    return "%d calls, %d succeeded, %d other responses, exceptions %s; %s"
        .formatted(begun.get(), succeeded.get(), refused.get(), exceptions, paceline.stats());
  }

  @Override
  public void close() {
    paceline.close();
    timer.shutdownNow();
    client.dispatcher().executorService().shutdown();
    client.connectionPool().evictAll();
  }

  /** The end of an enqueued call. */
  private final class Ending implements Callback {
    private final AtomicInteger ends = new AtomicInteger();
    private final CountDownLatch ended = new CountDownLatch(1);

    @Override
    public void onFailure(Call call, IOException e) {
      if (first()) {
        count(e);
      }
      ended.countDown();
    }

    @Override
    public void onResponse(Call call, Response response) {
      try (response) {
        if (first()) {
          count(response);
        }
      }
      ended.countDown();
    }

    private boolean first() {
      boolean first = ends.getAndIncrement() == 0;
      if (!first) {
        endedTwice.incrementAndGet();
      }
      return first;
    }

    void await() {
      try {
        if (!ended.await(60, TimeUnit.SECONDS)) {
          throw new IllegalStateException("an enqueued call has not ended");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
