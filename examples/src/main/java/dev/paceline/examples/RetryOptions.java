package dev.paceline.examples;

import dev.paceline.retry.RetryPolicy;
import java.time.Duration;
import picocli.CommandLine.Option;

/** How failed calls are repeated. */
final class RetryOptions {
  @Option(
      names = "--max-attempts",
      paramLabel = "N",
      defaultValue = "4",
      description = "Attempts of a call in all; ${DEFAULT-VALUE} by default.")
  private int maxAttempts;

  @Option(
      names = "--retry-base",
      paramLabel = "D",
      defaultValue = "500ms",
      description = "The first retry's longest delay, doubled by each; ${DEFAULT-VALUE}.")
  private Duration base = Duration.ZERO;

  @Option(
      names = "--retry-cap",
      paramLabel = "D",
      defaultValue = "30s",
      description = "The longest delay of any retry; ${DEFAULT-VALUE} by default.")
  private Duration cap = Duration.ZERO;

  @Option(
      names = "--retry-budget",
      paramLabel = "RATIO",
      defaultValue = "0.1",
      description = "What a success pays towards a retry, which costs 1; ${DEFAULT-VALUE}.")
  private double budget;

  @Option(
      names = "--retry-floor",
      paramLabel = "R",
      defaultValue = "0.2",
      description = "Retries a second that need no budget; ${DEFAULT-VALUE} by default.")
  private double floor;

  void apply(RetryPolicy.Builder retries) {
    retries.maxAttempts(maxAttempts).fullJitter(base, cap).budget(budget).floorPerSecond(floor);
  }
}
