package dev.paceline.benchmarks;

import dev.paceline.redis.testing.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A fleet of 4 processes with 8 callers each at a provider that accepts 200 a second and no more,
 * in a process of its own, beside Bucket4j, Redisson and plain full jitter.
 *
 * <p>{@code java -cp benchmarks.jar dev.paceline.benchmarks.FleetComparison [seconds [5|2|1|less
 * ...]]}: one row for each burst, and one for a limit that is lower than published
 */
final class FleetComparison {

  private static final int PER_SECOND = 200;
  private static final int WORKERS = 4;
  private static final int CALLERS = 8;
  private static final List<String> ROWS = List.of("5", "2", "1", "less");

  /** Before anything is counted where a guard has to be learned. */
  private static final double LEARNING_SECONDS = 10;

  private static final double WARM_UP_SECONDS = 2;
  private static final double RECOVERY_SECONDS = 45;

  private final RedisServer redis;
  private final Duration lasting;
  private final List<Row> rows = new ArrayList<>();

  private FleetComparison(RedisServer redis, Duration lasting) {
    this.redis = redis;
    this.lasting = lasting;
  }

  /** Prints the table. */
  public static void main(String[] args) throws IOException {
    long seconds = args.length > 0 ? Long.parseLong(args[0]) : 15;
    List<String> asked = args.length > 1 ? List.of(args).subList(1, args.length) : ROWS;
    Row.print(run(Duration.ofSeconds(seconds), asked));
    System.exit(0);
  }

  static List<Row> run(Duration lasting, List<String> asked) throws IOException {
    try (RedisServer redis = RedisServer.start()) {
      FleetComparison all = new FleetComparison(redis, lasting);
      for (String row : asked) {
        switch (row) {
          case "5" -> all.strict(5, 0.99, 0);
          case "2" -> all.strict(2, 0.99, 0.01);
          case "1" -> all.strict(1, 0.80, 0.04);
          case "less" -> all.lessThanPublished();
          default -> throw new IllegalArgumentException("no row " + row + "; there are " + ROWS);
        }
      }
      return all.rows;
    }
  }

  private void strict(int burst, double used, double refused) throws IOException {
    double before = burst == 1 ? LEARNING_SECONDS : WARM_UP_SECONDS;
    Phase all = new Phase(PER_SECOND, before);
    Outcome paceline = fleet("paceline", burst, List.of(all)).get(0);
    String bucket4j = fleet("bucket4j", burst, List.of(all)).get(0).text();
    String redisson = fleet("redisson", burst, List.of(all)).get(0).text();
    String jitter = fleet("jitter", burst, List.of(all)).get(0).text();
    String target =
        refused == 0
            ? "≥ %s used, no 429".formatted(Row.percent(used))
            : "≥ %s used, ≤ %s refused".formatted(Row.percent(used), Row.percent(refused));
    rows.add(
        new Row(
            "fleet at a strict provider (200/s, burst " + burst + "), 4 processes × 8 callers",
            target,
            paceline.used() >= used && paceline.refusedShare() <= refused,
            paceline.text(),
            "Bucket4j %s; Redisson %s; full jitter alone %s"
                .formatted(bucket4j, redisson, jitter)));
  }

  private void lessThanPublished() throws IOException {
    List<Outcome> phases =
        fleet(
            "paceline",
            5,
            List.of(new Phase(150, LEARNING_SECONDS), new Phase(PER_SECOND, RECOVERY_SECONDS)));
    Outcome low = phases.get(0);
    Outcome back = phases.get(1);
    rows.add(
        new Row(
            "published 200/s, truly 150/s",
            "≥ 95.0 % of 150/s used, ≤ 2.0 % refused",
            low.used() >= 0.95 && low.refusedShare() <= 0.02,
            low.text(),
            "from 10 s on"));
    rows.add(
        new Row(
            "same, from %.0f s after it rose to 200/s again".formatted(RECOVERY_SECONDS),
            "≥ 95.0 % used",
            back.used() >= 0.95,
            back.text(),
            ""));
  }

  /**
   * A provider's true limit.
   *
   * @param before seconds that are not counted
   */
  private record Phase(int truth, double before) {}

  /** Runs one fleet through phases in which the provider's true limit is given. */
  private List<Outcome> fleet(String kind, int burst, List<Phase> phases) throws IOException {
    List<ChildJvm> workers = new ArrayList<>();
    List<Outcome> outcomes = new ArrayList<>();
    redis.call("FLUSHALL");
    try (ChildJvm provider = ChildJvm.start(FleetProvider.class)) {
      String port = provider.read();
      for (int i = 0; i < WORKERS; i++) {
        workers.add(
            ChildJvm.start(
                FleetWorker.class,
                kind,
                redis.uri(),
                port,
                "w" + i,
                Integer.toString(PER_SECOND),
                Integer.toString(burst),
                Integer.toString(CALLERS)));
      }
      for (ChildJvm worker : workers) {
        worker.read();
      }
      for (Phase phase : phases) {
        provider.write("limit " + phase.truth() + " " + burst);
        run(workers, phase.before());
        provider.write("limit " + phase.truth() + " " + burst);
        CommandStats.reset(redis);
        run(workers, lasting.toMillis() / 1e3);
        provider.write("report");
        outcomes.add(
            Outcome.of(provider.read(), phase.truth(), CommandStats.scripts(redis).calls()));
      }
      return outcomes;
    } finally {
      workers.forEach(ChildJvm::close);
    }
  }

  private static void run(List<ChildJvm> workers, double seconds) throws IOException {
    for (ChildJvm worker : workers) {
      worker.write(Double.toString(seconds));
    }
    for (ChildJvm worker : workers) {
      worker.read();
    }
  }

  /**
   * How a phase went.
   *
   * @param least the smallest share of a worker, and {@code most} the largest, of the mean
   */
  private record Outcome(
      double used, double refusedShare, double least, double most, double commands) {

    static Outcome of(String report, int truth, long commands) {
      String[] words = report.split(" ", -1);
      double accepted = Double.parseDouble(words[0]);
      double refused = Double.parseDouble(words[1]);
      double least = Double.POSITIVE_INFINITY;
      double most = 0;
      for (int i = 3; i < words.length; i++) {
        double own = Double.parseDouble(words[i].substring(words[i].indexOf('=') + 1));
        double share = own * WORKERS / accepted;
        least = Math.min(least, share);
        most = Math.max(most, share);
      }
      return new Outcome(
          accepted / (truth * Double.parseDouble(words[2])),
          refused / (accepted + refused),
          least,
          most,
          commands / accepted);
    }

    String text() {
      return String.format(
          Locale.ROOT,
          "%s used, %s refused, shares %.2f to %.2f, %.2f commands a permit",
          Row.percent(used),
          Row.percent(refusedShare),
          least,
          most,
          commands);
    }
  }
}
