package dev.paceline.benchmarks;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Scanner;

/**
 * One of several processes on a key: {@code contender uri inFlight}. Says {@code ready}, and for
 * each number of seconds that it reads how many permits it got.
 */
final class RedisWorker {

  private RedisWorker() {}

  /** Runs until its input ends. */
  public static void main(String[] args) throws Exception {
    int inFlight = Integer.parseInt(args[2]);
    try (Contender contender = contender(args[0], args[1]);
        Scanner in = new Scanner(System.in, StandardCharsets.UTF_8)) {
      InFlight.run(contender, inFlight, 1, Duration.ofSeconds(1));
      System.out.println("ready");
      while (in.hasNextDouble()) {
        Duration lasting = Duration.ofMillis((long) (in.nextDouble() * 1_000));
        System.out.println(InFlight.run(contender, inFlight, 1, lasting).permits());
      }
    }
  }

  private static Contender contender(String name, String uri) {
    return switch (name) {
      case "paceline" -> new PacelineContender(uri, 1, true);
      case "batching" -> new Bucket4jContender(uri, 1, true);
      default -> throw new IllegalArgumentException("no contender " + name);
    };
  }
}
