package dev.paceline.benchmarks.soak;

import dev.paceline.benchmarks.Row;
import java.util.List;

/**
 * Counts how calls end while Redis is killed, paused and flushed, the provider refuses, fails,
 * resets and is slow, and callers give up: each call exactly once, with a response or one exception
 * of a type.
 *
 * <p>{@code java -cp benchmarks.jar dev.paceline.benchmarks.soak.Endings [calls [seed]]}; exits
 * with 1 if a call ended otherwise.
 */
public final class Endings {

  private Endings() {}

  /** Counts 100,000 calls, or as many as are said. */
  public static void main(String[] args) throws Exception {
    long calls = args.length > 0 ? Long.parseLong(args[0]) : 100_000;
    long seed = args.length > 1 ? Long.parseLong(args[1]) : System.nanoTime();
    Soak.Outcome outcome = Soak.run(seed, Soak.Load.of(calls));
    List<String> faults = outcome.faults();
    faults.forEach(fault -> System.out.println("seed " + seed + ": " + fault));
    Row.print(
        List.of(
            new Row(
                "100,000 calls while Redis and the provider fail",
                "each ends once, with a response or one exception of a type",
                faults.isEmpty(),
                faults.isEmpty() ? "%,d calls or more, all did".formatted(calls) : "not all did",
                "seed " + seed + "; " + outcome.footprint())));
    System.exit(faults.isEmpty() ? 0 : 1);
  }
}
