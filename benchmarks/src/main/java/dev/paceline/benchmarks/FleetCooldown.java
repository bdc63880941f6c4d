package dev.paceline.benchmarks;

import dev.paceline.redis.RedisInspector;
import dev.paceline.redis.SharedScope;
import dev.paceline.redis.testing.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Four processes of 8 callers under load at a provider that accepts 200 a second, through Redis:
 * one is told to wait, and then two are told different waits in either order, which this process
 * ends.
 *
 * <p>{@code java -cp benchmarks.jar dev.paceline.benchmarks.FleetCooldown [seconds]}
 */
final class FleetCooldown {

  private static final int PER_SECOND = 200;
  private static final int WORKERS = 4;

  /** Until what refusals while the processes begin have taught is forgotten. */
  private static final Duration WARM_UP = Duration.ofSeconds(10);

  private static final int IN_SECOND = 1_000 / FleetProvider.SLICE_MILLIS;

  private final RedisServer redis;
  private final ChildJvm provider;
  private boolean held = true;

  private FleetCooldown(RedisServer redis, ChildJvm provider) {
    this.redis = redis;
    this.provider = provider;
  }

  /** Prints a line for each claim and a row for each case, and exits with 1 if one did not hold. */
  public static void main(String[] args) throws Exception {
    boolean held = run(args.length > 0 ? Integer.parseInt(args[0]) : 10);
    System.exit(held ? 0 : 1);
  }

  static boolean run(int seconds) throws IOException, InterruptedException {
    List<ChildJvm> workers = new ArrayList<>();
    try (RedisServer redis = RedisServer.start();
        ChildJvm provider = ChildJvm.start(FleetProvider.class)) {
      String port = provider.read();
      try {
        for (int i = 0; i < WORKERS; i++) {
          workers.add(worker(redis.uri(), port, "w" + i));
        }
        for (ChildJvm worker : workers) {
          worker.read();
          worker.write("3600");
        }
        FleetCooldown run = new FleetCooldown(redis, provider);
        provider.write("limit " + PER_SECOND + " 5");
        rest(WARM_UP);
        Row one = run.oneIsTold(seconds);
        Row.print(List.of(one, run.twoAreTold()));
        return run.held;
      } finally {
        workers.forEach(ChildJvm::close);
      }
    }
  }

  private static ChildJvm worker(String redis, String port, String name) throws IOException {
    return ChildJvm.start(
        FleetWorker.class, "paceline", redis, port, name, Integer.toString(PER_SECOND), "1", "8");
  }

  private static void rest(Duration time) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(time.toNanos());
  }

  private void say(boolean holds, String what, Object... values) {
    held &= holds;
    System.out.printf(Locale.ROOT, (holds ? "held:   " : "FAILED: ") + what + "%n", values);
  }

  private void tell(String worker, int seconds, int lateMillis) throws IOException {
    provider.write("tell " + worker + " " + seconds + " " + lateMillis);
  }

  /** How many were refused, and then how many came in each slice of time, since one was told. */
  private long[] since() throws IOException {
    provider.write("since");
    return Arrays.stream(provider.read().split(" ", -1)).mapToLong(Long::parseLong).toArray();
  }

  private Row oneIsTold(int seconds) throws IOException, InterruptedException {
    tell("w1", seconds, 0);
    rest(Duration.ofSeconds(seconds + 4));
    long[] seen = since();
    int end = seconds * IN_SECOND;
    say(
        sum(seen, 1, end) == 0,
        "one of 4 told to wait %d s: %d requests from 100 ms to the end",
        seconds,
        sum(seen, 1, end));
    List<Long> after = new ArrayList<>();
    for (int second = 0; second < 3; second++) {
      int from = end + second * IN_SECOND;
      long came = sum(seen, from, from + IN_SECOND);
      after.add(came);
      say(
          came >= 0.95 * PER_SECOND && came <= 1.01 * PER_SECOND,
          "second %d after it: %d requests of %d",
          second + 1,
          came,
          PER_SECOND);
    }
    say(seen[0] == 0, "refused after it: %d", seen[0]);
    return new Row(
        "one of 4 processes is told `Retry-After: 10`",
        "none of the fleet sends from 100 ms to its end; then the pace within 5 %, none refused",
        held,
        "%d sent meanwhile; %s in the first three seconds after it, %d refused"
            .formatted(sum(seen, 1, end), after, seen[0]),
        "");
  }

  /** Of the slices, which follow the count of refusals. */
  private static long sum(long[] seen, int from, int to) {
    return Arrays.stream(seen, Math.min(from + 1, seen.length), Math.min(to + 1, seen.length))
        .sum();
  }

  private Row twoAreTold() throws IOException, InterruptedException {
    boolean before = held;
    held = true;
    String first = twoAreTold(5_400, 60);
    String second = twoAreTold(60, 5_400);
    Row row =
        new Row(
            "two are told 5,400 s and 60 s, in either order",
            "the longer stays, until another process ends it",
            held,
            first + "; " + second,
            "");
    held &= before;
    return row;
  }

  private String twoAreTold(int later, int sooner) throws IOException, InterruptedException {
    tell("w0", later, 300);
    rest(Duration.ofMillis(200));
    tell("w2", sooner, 0);
    rest(Duration.ofSeconds(1));
    String said;
    try (RedisInspector inspector = RedisInspector.connect(redis.uri())) {
      SharedScope scope = inspector.scopes().get(0);
      say(
          scope.cooldown().toSeconds() > 5_390,
          "one told %d s after another %d s: the cooldown lasts another %d s",
          later,
          sooner,
          scope.cooldown().toSeconds());
      long before = sum(since(), 1, Integer.MAX_VALUE - 1);
      inspector.clearCooldown(scope.key());
      rest(Duration.ofSeconds(1));
      long after = sum(since(), 1, Integer.MAX_VALUE - 1);
      say(
          before == 0 && after >= 0.9 * PER_SECOND,
          "%d requests until another process ends it, %d in the second after",
          before,
          after);
      said =
          "%,d s left, %d sent, %d in the second after its end"
              .formatted(scope.cooldown().toSeconds(), before, after);
    }
    rest(Duration.ofSeconds(2));
    return said;
  }
}
