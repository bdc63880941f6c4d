package dev.paceline.benchmarks;

import dev.paceline.redis.testing.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Permits of schedules in Redis, beside a minimal script, Bucket4j and Redisson: each measured in
 * turn, several rounds, medians, ratios of the same rounds. The server is one that it starts.
 *
 * <p>{@code java -cp benchmarks.jar dev.paceline.benchmarks.RedisComparison [seconds [rounds
 * [part…]]]}, parts being {@code one}, {@code hot64}, {@code hot256}, {@code four}, {@code many},
 * {@code memory}; all by default.
 */
final class RedisComparison {

  private static final List<String> PARTS =
      List.of("one", "hot64", "hot256", "four", "many", "memory");

  private static final int MANY_KEYS = 10_000;

  private final RedisServer server;
  private final Duration lasting;
  private final int rounds;
  private final List<Row> rows = new ArrayList<>();

  private RedisComparison(RedisServer server, Duration lasting, int rounds) {
    this.server = server;
    this.lasting = lasting;
    this.rounds = rounds;
  }

  /** Prints the table. */
  public static void main(String[] args) throws Exception {
    double seconds = args.length > 0 ? Double.parseDouble(args[0]) : 2;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
    List<String> parts = List.of(args).subList(Math.min(2, args.length), args.length);
    Row.print(run(Duration.ofMillis((long) (seconds * 1_000)), rounds, parts));
    System.exit(0);
  }

  /**
   * Measures each for so long in each round.
   *
   * @param parts which; all if there are none
   */
  static List<Row> run(Duration lasting, int rounds, List<String> parts) throws Exception {
    try (RedisServer server = RedisServer.start()) {
      RedisComparison all = new RedisComparison(server, lasting, rounds);
      for (String part : parts.isEmpty() ? PARTS : parts) {
        switch (part) {
          case "one" -> all.oneAtATime();
          case "hot64" -> all.hotKey(64);
          case "hot256" -> all.hotKey(256);
          case "four" -> all.fourProcesses();
          case "many" -> all.manyKeys();
          case "memory" -> all.memory();
          default -> throw new IllegalArgumentException(part + ": parts are " + PARTS);
        }
      }
      return all.rows;
    }
  }

  private void oneAtATime() throws Exception {
    Samples micros = new Samples();
    Samples script = new Samples();
    // Every permit by a call of its own: what is measured is the way to Redis and back.
    try (Contender paceline = new PacelineContender(server.uri(), 1, false);
        Contender minimal = new ScriptContender(server.uri());
        Contender bucket4j = new Bucket4jContender(server.uri(), 1, false);
        Contender redisson = new RedissonContender(server.uri())) {
      List<Contender> all = List.of(paceline, minimal, bucket4j, redisson);
      for (Contender contender : all) {
        InFlight.oneAtATime(contender, lasting);
      }
      for (int i = 0; i < rounds; i++) {
        for (Contender contender : all) {
          CommandStats.reset(server);
          micros.add(contender.name(), InFlight.oneAtATime(contender, lasting).microsEach());
          script.add(contender.name(), CommandStats.scripts(server).microsEach());
        }
      }
      checkExact(paceline);
    }
    double ratio = micros.ratio("Paceline", "minimal script");
    rows.add(
        new Row(
            "shared permit, one at a time",
            "≤ 1.15 × a minimal script",
            ratio <= 1.15,
            "%s µs, %s ×".formatted(median(micros, "Paceline"), Row.number(ratio)),
            micros.beside("Paceline", " µs")));
    double scriptRatio = script.ratio("Paceline", "minimal script");
    rows.add(
        new Row(
            "script time in Redis, one limit",
            "≤ 1.5 × a minimal script",
            scriptRatio <= 1.5,
            "%s µs, %s ×".formatted(median(script, "Paceline"), Row.number(scriptRatio)),
            script.beside("Paceline", " µs")));
  }

  private void hotKey(int inFlight) throws Exception {
    Samples rate = new Samples();
    Samples commands = new Samples();
    try (Contender paceline = new PacelineContender(server.uri(), 1, true);
        Contender batching = new Bucket4jContender(server.uri(), 1, true);
        Contender bucket4j = new Bucket4jContender(server.uri(), 1, false);
        Contender redisson = new RedissonContender(server.uri());
        Contender minimal = new ScriptContender(server.uri())) {
      List<Contender> all = List.of(paceline, batching, bucket4j, redisson, minimal);
      for (int i = -1; i < rounds; i++) {
        for (Contender contender : all) {
          CommandStats.reset(server);
          InFlight.Rate measured = InFlight.run(contender, inFlight, 1, lasting);
          if (i >= 0) {
            rate.add(contender.name(), measured.perSecond());
            double scripts = CommandStats.scripts(server).calls();
            commands.add(contender.name(), scripts / measured.permits());
          }
        }
      }
      checkExact(paceline);
    }
    double toBatching = rate.ratio("Paceline", "Bucket4j, batching");
    double toPlain = rate.ratio("Paceline", "Bucket4j");
    double each = commands.median("Paceline");
    rows.add(
        new Row(
            "shared permits, one hot key, " + inFlight + " in flight, one process",
            "≥ 1 × Bucket4j with batching; ≥ 200 × Bucket4j; ≤ 0.02 commands a permit",
            toBatching >= 1 && toPlain >= 200 && each <= 0.02,
            String.format(
                Locale.ROOT,
                "%s/s; %s ×, %s ×; %.4f",
                median(rate, "Paceline"),
                Row.number(toBatching),
                Row.number(toPlain),
                each),
            rate.beside("Paceline", "/s")));
  }

  private void fourProcesses() throws IOException {
    Samples rate = new Samples();
    for (int i = 0; i < rounds; i++) {
      rate.add("Paceline", fourProcesses("paceline"));
      rate.add("Bucket4j, batching", fourProcesses("batching"));
    }
    double ratio = rate.ratio("Paceline", "Bucket4j, batching");
    rows.add(
        new Row(
            "same, 4 processes on the key, 64 in flight each",
            "≥ 2 × Bucket4j with batching",
            ratio >= 2,
            "%s/s; %s ×".formatted(median(rate, "Paceline"), Row.number(ratio)),
            rate.beside("Paceline", "/s")));
  }

  private double fourProcesses(String contender) throws IOException {
    List<ChildJvm> workers = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        workers.add(ChildJvm.start(RedisWorker.class, contender, server.uri(), "64"));
      }
      for (ChildJvm worker : workers) {
        worker.read();
      }
      for (ChildJvm worker : workers) {
        worker.write(Double.toString(lasting.toMillis() / 1e3));
      }
      double permits = 0;
      for (ChildJvm worker : workers) {
        permits += Double.parseDouble(worker.read());
      }
      return permits * 1e9 / lasting.toNanos();
    } finally {
      workers.forEach(ChildJvm::close);
    }
  }

  private void manyKeys() throws Exception {
    Samples rate = new Samples();
    try (Contender paceline = new PacelineContender(server.uri(), MANY_KEYS, true);
        Contender minimal = new ScriptContender(server.uri());
        Contender bucket4j = new Bucket4jContender(server.uri(), MANY_KEYS, false)) {
      List<Contender> all = List.of(paceline, minimal, bucket4j);
      // The way of one permit is long: it takes some seconds until it is compiled.
      for (int i = -4; i < rounds; i++) {
        for (Contender contender : all) {
          double measured = InFlight.run(contender, 64, MANY_KEYS, lasting).perSecond();
          if (i >= 0) {
            rate.add(contender.name(), measured);
          }
        }
      }
      checkExact(paceline);
    }
    double ratio = rate.ratio("Paceline", "minimal script");
    rows.add(
        new Row(
            "shared permits over 10,000 keys, 64 in flight",
            "≥ 0.85 × a minimal script",
            ratio >= 0.85,
            "%s/s; %s ×".formatted(median(rate, "Paceline"), Row.number(ratio)),
            rate.beside("Paceline", "/s")));
  }

  private void memory() throws Exception {
    long bytes = KeyMemory.inRedis(server);
    rows.add(
        new Row(
            "memory of a GCRA key in Redis, 11-character name",
            "≤ 110 B",
            bytes <= 110,
            bytes + " B",
            ""));
    KeyMemory.InProcess process = KeyMemory.inProcess();
    rows.add(
        new Row(
            "memory of a key in process, 1,000,000 keys",
            "≤ 160 B",
            process.withName() <= 160,
            Row.number(process.withName()) + " B",
            "of these, the name: " + Row.number(process.name()) + " B"));
  }

  private static String median(Samples samples, String name) {
    return Row.number(samples.median(name));
  }

  private static void checkExact(Contender contender) {
    if (contender.bypassed() > 0) {
      throw new IllegalStateException(
          contender.name() + ": " + contender.bypassed() + " permits were not decided in Redis");
    }
  }
}
