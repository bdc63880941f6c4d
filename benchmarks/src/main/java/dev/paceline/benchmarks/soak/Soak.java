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
import java.util.SplittableRandom;
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
  private final Leaks leaks;
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

  /**
   * What came of a seed.
   *
   * @param faults what did not hold; empty if everything did
   * @param footprint what it took at the end, beside what it took when it was warm
   */
  record Outcome(List<String> faults, String footprint) {}

  private Soak(long seed, Load load, RedisServer redis, ShakyProvider provider) {
    this.leaks = new Leaks(redis);
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
      Outcome outcome = run(seed, Load.lasting(lasting));
      outcome.faults().forEach(fault -> System.out.println("seed " + seed + ": " + fault));
      rows.add(
          new Row(
              "soak, seed " + seed,
              "every invariant holds, for 10 minutes",
              outcome.faults().isEmpty(),
              "%s for %d s; %s"
                  .formatted(
                      outcome.faults().isEmpty() ? "all held" : "not all held",
                      lasting.toSeconds(),
                      outcome.footprint()),
              String.join("; ", outcome.faults())));
    }
    Row.print(rows);
    System.exit(rows.stream().allMatch(Row::reached) ? 0 : 1);
  }

  /** Runs one seed. */
  static Outcome run(long seed, Load load) throws IOException, InterruptedException {
    try (RedisServer redis = RedisServer.start();
        ShakyProvider provider = new ShakyProvider()) {
      Soak soak = new Soak(seed, load, redis, provider);
      soak.play();
      soak.faults.addAll(soak.leaks.closed());
      System.out.printf("seed %d: %s%n", seed, String.join(", ", soak.score));
      return new Outcome(soak.faults, soak.leaks.text());
    }
  }

  private void play() throws InterruptedException {
    List<SoakWorker> workers = new ArrayList<>();
    Limit limit = Limit.of(load.perSecond).per(Duration.ofSeconds(1)).burst(load.burst);
    try (StallMeter stalls = new StallMeter()) {
      for (int i = 0; i < WORKERS; i++) {
        workers.add(new SoakWorker(redis.uri(), provider, limit, WORKERS));
      }
      leaks.begun();
      for (SoakWorker worker : workers) {
        worker.start(load.callers, random.split());
      }
      long start = System.nanoTime();
      boolean warm = false;
      for (long passed = 0;
          passed < load.lasting.toNanos() && !isEnough(workers);
          passed = System.nanoTime() - start) {
        rest(load.rest / 3 + random.nextInt(load.rest * 2 / 3));
        faults.addAll(leaks.look());
        if (!warm && (drawn >= KINDS || isHalfOver(passed, workers))) {
          warm = true;
          leaks.warm();
        }
        fault(100 + random.nextInt(900));
      }
      faults.addAll(leaks.ended(WORKERS * load.callers));
      score.add(leaks.text());
      for (SoakWorker worker : workers) {
        worker.stop();
      }
      for (SoakWorker worker : workers) {
        faults.addAll(worker.faults());
        System.out.println(worker.counts());
      }
      long calls = begun(workers);
      if (calls < load.calls) {
        faults.add("only " + calls + " calls in " + load.lasting);
      }
      checkPace(stalls.longestNanos());
    } finally {
      workers.forEach(SoakWorker::close);
    }
  }

  private boolean isHalfOver(long passed, List<SoakWorker> workers) {
    return passed > load.lasting.toNanos() / 2
        || (load.calls > 0 && begun(workers) > load.calls / 2);
  }

  private static long begun(List<SoakWorker> workers) {
    return workers.stream().mapToLong(SoakWorker::begun).sum();
  }

  private boolean isEnough(List<SoakWorker> workers) {
    return load.calls > 0 && drawn >= KINDS && begun(workers) >= load.calls;
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
}
