package dev.paceline.examples;

import dev.paceline.PacelineBuilder;
import dev.paceline.UpstreamBuilder;
import dev.paceline.limit.Limit;
import dev.paceline.store.OutagePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** How calls are paced. */
final class PacingOptions {
  @Option(
      names = "--limit",
      paramLabel = "SPEC",
      description = {
        "PERMITS/PERIOD[;burst=N][;algorithm=NAME][;zone=ZONE]; may be repeated; none: no pacing.",
        "Algorithms: gcra, token-bucket, fixed-window, sliding-window-log, sliding-window-counter."
      })
  private List<Limit> limits = new ArrayList<>();

  @Option(
      names = "--key",
      paramLabel = "NAME",
      defaultValue = "default",
      description = "Who owns the schedule; ${DEFAULT-VALUE} by default.")
  private String key = "default";

  @Option(
      names = "--max-wait",
      paramLabel = "D",
      defaultValue = "30s",
      description = "The longest wait for a permit or a retry; ${DEFAULT-VALUE} by default.")
  private Duration maxWait = Duration.ZERO;

  @Option(
      names = "--on-store-failure",
      paramLabel = "POLICY",
      defaultValue = "local",
      description =
          "What callers get while Redis is away: local (paced at a share), closed (refused), open"
              + " (not paced); ${DEFAULT-VALUE} by default.")
  private OutagePolicy onStoreFailure = OutagePolicy.LOCAL;

  @Option(
      names = "--max-queued",
      paramLabel = "N",
      defaultValue = "10000",
      description = "The longest queue; ${DEFAULT-VALUE} by default.")
  private int maxQueued;

  @Option(
      names = "--priority",
      paramLabel = "N",
      defaultValue = "0",
      description = "The priority of all calls; ${DEFAULT-VALUE} by default.")
  private int priority;

  String key() {
    return key;
  }

  int priority() {
    return priority;
  }

  void apply(PacelineBuilder paceline) {
    paceline.maxWait(maxWait);
  }

  void apply(UpstreamBuilder upstream) {
    limits.forEach(upstream::limit);
    upstream.maxQueued(maxQueued).onStoreFailure(onStoreFailure);
  }
}
