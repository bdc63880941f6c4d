package dev.paceline.benchmarks.soak;

import dev.paceline.benchmarks.Row;
import dev.paceline.benchmarks.StallMeter;
import dev.paceline.benchmarks.soak.ShakyProvider.Mood;
import dev.paceline.limit.Limit;
import dev.paceline.redis.testing.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * A fleet that runs for a given time while a seed draws its faults: Redis is killed, paused and
 * flushed; the provider refuses, fails, resets and is slow; callers give up. What must hold all the
 * same is checked.
 *
 * <p>{@code java -cp benchmarks.jar dev.paceline.benchmarks.soak.Soak [seconds [seed ...]]}
 */
public final class Soak {

  private static final int WORKERS = 2;
  private static final int KINDS = 7;

  private final SplittableRandom random;
  private final Load load;
  private final List<Integer> kinds = new ArrayList<>();
  private final RedisServer redis;
  private final ShakyProvider provider;
  private final List<String> score = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private int restarts;
  private int drawn;

  /**
   * How much is asked for.
   *
   * @param perSecond the limit of all workers
   * @param callers of each worker
   * @param calls how many there must be, and each kind of fault once, before it ends
   * @param lasting the least time, or where calls are counted the longest
   * @param rest the longest between two faults, in milliseconds
   */
  record Load(int perSecond, int burst, int callers, long calls, Duration lasting, int rest) {
    static Load lasting(Duration lasting) {
      return new Load(100, 5, 6, 0, lasting, 1_000);
    }

    static Load of(long calls) {
      return new Load(5_000, 100, 24, calls, Duration.ofMinutes(20), 400);
    }
  }

  private Soak(long seed, Load load, RedisServer redis, ShakyProvider provider) {
    this.random = new SplittableRandom(seed);
    this.load = load;
    this.redis = redis;
    this.provider = provider;
  }

  /** Runs each seed, and exits with 1 if anything did not hold. */
  public static void main(String[] args) throws Exception {
    Duration lasting = Duration.ofSeconds(args.length > 0 ? Long.parseLong(args[0]) : 600);
    List<Row> rows = new ArrayList<>();
    for (int i = 1; i < Math.max(2, args.length); i++) {
      long seed = args.length > 1 ? Long.parseLong(args[i]) : System.nanoTime();
      List<String> faults = run(seed, Load.lasting(lasting));
      faults.forEach(fault -> System.out.println("seed " + seed + ": " + fault));
      rows.add(
          new Row(
              "soak, seed " + seed,
              "every invariant holds, for 10 minutes",
              faults.isEmpty(),
              faults.isEmpty()
                  ? "all held for %d s".formatted(lasting.toSeconds())
                  : "not all held",
              String.join("; ", faults)));
    }
    Row.print(rows);
    System.exit(rows.stream().allMatch(Row::reached) ? 0 : 1);
  }

  /** Runs one seed; what did not hold, empty if everything did. */
  static List<String> run(long seed, Load load) throws IOException, InterruptedException {
    Set<String> before = threads();
    try (RedisServer redis = RedisServer.start();
        ShakyProvider provider = new ShakyProvider()) {
      Soak soak = new Soak(seed, load, redis, provider);
      soak.play();
      soak.checkNothingIsLeft(before);
      System.out.printf("seed %d: %s%n", seed, String.join(", ", soak.score));
      return soak.faults;
    }
  }

  private void play() throws InterruptedException {
    List<SoakWorker> workers = new ArrayList<>();
    Limit limit = Limit.of(load.perSecond).per(Duration.ofSeconds(1)).burst(load.burst);
    try (StallMeter stalls = new StallMeter()) {
      for (int i = 0; i < WORKERS; i++) {
        workers.add(new SoakWorker(redis.uri(), provider, limit, WORKERS));
      }
      for (SoakWorker worker : workers) {
        worker.start(load.callers, random.split());
      }
      long end = System.nanoTime() + load.lasting.toNanos();
      while (System.nanoTime() - end < 0 && !isEnough(workers)) {
        rest(load.rest / 3 + random.nextInt(load.rest * 2 / 3));
        checkKeysHaveLifetimes();
        fault(100 + random.nextInt(900));
      }
      for (SoakWorker worker : workers) {
        worker.stop();
      }
      for (SoakWorker worker : workers) {
        faults.addAll(worker.faults());
        System.out.println(worker.counts());
      }
      long calls = workers.stream().mapToLong(SoakWorker::begun).sum();
      if (calls < load.calls) {
        faults.add("only " + calls + " calls in " + load.lasting);
      }
      checkPace(stalls.longestNanos());
    } finally {
      workers.forEach(SoakWorker::close);
    }
  }

  private boolean isEnough(List<SoakWorker> workers) {
    return load.calls > 0
        && drawn >= KINDS
        && workers.stream().mapToLong(SoakWorker::begun).sum() >= load.calls;
  }

  private static void rest(int millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis);
  }

  private void fault(int millis) throws InterruptedException {
    switch (nextKind()) {
      case 0 -> {
        score.add("kill " + millis);
        redis.kill();
        rest(millis);
        redis.restart();
        restarts++;
      }
      case 1 -> {
        score.add("pause " + millis);
        redis.pause();
        rest(millis);
        redis.resume();
      }
      case 2 -> {
        score.add("flush");
        redis.call("FLUSHALL");
      }
      case 3 -> mood(Mood.THROTTLING, Math.min(millis, 100));
      case 4 -> mood(Mood.UNAVAILABLE, millis);
      case 5 -> mood(Mood.RESETTING, millis);
      default -> mood(Mood.SLOW, millis);
    }
  }

  /** No kind comes again before all have come. */
  private int nextKind() {
    if (kinds.isEmpty()) {
      for (int kind = 0; kind < KINDS; kind++) {
        kinds.add(kind);
      }
    }
    drawn++;
    return kinds.remove(random.nextInt(kinds.size()));
  }

  private void mood(Mood mood, int millis) throws InterruptedException {
    score.add(mood + " " + millis);
    provider.be(mood);
    rest(millis);
    provider.be(Mood.WELL);
  }

  /** No key is without a lifetime at any moment. */
  private void checkKeysHaveLifetimes() {
    for (String key : redis.keys("*")) {
      if (redis.call("PTTL", key).equals(-1L)) {
        faults.add(key + " has no lifetime");
      }
    }
  }

  /**
   * Over every window at most the limit, its burst and one turn a worker; for each time that Redis
   * lost everything one turn a worker more in the windows that span it. A machine that stalls makes
   * requests late that were due before the window: at most the limit over the longest stall.
   */
  private void checkPace(long stallNanos) {
    long[] arrivals = provider.arrivals();
    // A turn holds what starts within 20 ms, and late sends of 20 ms are valid.
    double turn = load.perSecond * 0.020 + 1;
    double allowed = load.burst + WORKERS * turn * 2 + load.perSecond * stallNanos / 1e9;
    double most = Double.NEGATIVE_INFINITY;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < arrivals.length; i++) {
      double ahead = i - load.perSecond * (arrivals[i] - arrivals[0]) / 1e9;
      least = Math.min(least, ahead);
      most = Math.max(most, ahead - least + 1);
    }
    score.add(
        "%d arrivals, at most %.1f ahead of the limit, %.1f allowed; longest stall %d ms; %d restarts"
            .formatted(
                arrivals.length,
                most,
                allowed,
                TimeUnit.NANOSECONDS.toMillis(stallNanos),
                restarts));
    if (most > allowed) {
      faults.add("%.1f ahead of the limit, %.1f allowed".formatted(most, allowed));
    }
  }

  private void checkNothingIsLeft(Set<String> before) throws InterruptedException {
    long end = System.nanoTime() + 20_000_000_000L;
    while (!redis.call("DBSIZE").equals(0L) && System.nanoTime() - end < 0) {
      rest(100);
    }
    if (!redis.call("DBSIZE").equals(0L)) {
      faults.add("keys are left: " + redis.keys("*"));
    }
    Set<String> left = left(before);
    while (!left.isEmpty() && System.nanoTime() - end < 0) {
      rest(100);
      left = left(before);
    }
    if (!left.isEmpty()) {
      faults.add("threads are left: " + left);
    }
    String clients = (String) redis.call("CLIENT", "LIST");
    if (clients.lines().count() > 1) {
      faults.add("connections are left: " + clients);
    }
  }

  private static Set<String> threads() {
    Set<String> names = new TreeSet<>();
    Thread.getAllStackTraces().keySet().forEach(thread -> names.add(thread.getName()));
    return names;
  }

  /** Threads of the libraries; what they share by design may stay. */
  private static Set<String> left(Set<String> before) {
    Set<String> now = threads();
    now.removeAll(before);
    now.removeIf(
        name ->
            !name.startsWith("lettuce")
                && !name.startsWith("paceline-redis")
                && !name.startsWith("soak-caller")
                && !name.startsWith("OkHttp http"));
    return now;
  }
}
