package dev.paceline.examples;

import dev.paceline.Paceline;
import dev.paceline.limit.Limit;
import dev.paceline.okhttp.CallOptions;
import dev.paceline.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Runs some calls to a provider in this process, so that the classes on a call's way are loaded
 * before calls are measured: the first of a process take some hundred milliseconds more, longer
 * than a provider's tolerance for late permits.
 */
final class WarmUp {
  private static final int CALLERS = 4;
  private static final long CALLS = 200;

  private WarmUp() {}

  static void run(TimeSource time, boolean async) throws IOException, InterruptedException {
    try (StrictProvider provider = StrictProvider.start(time, 1_000_000, 1_000);
        LoadClient client = new LoadClient(paceline(provider), CALLERS, async, Optional.empty())) {
      new Load(
              time,
              new Tally(),
              new Load.Plan(CALLERS, CALLS, Optional.empty(), Optional.empty(), async),
              client.calls(),
              Charges.charge(provider).build(),
              CallOptions.standard())
          .run();
    }
  }

  private static Paceline paceline(StrictProvider provider) {
    return Paceline.builder()
        .upstream(
            "warm-up",
            upstream ->
                upstream.hosts(provider.host()).limit(Limit.of(2_000).per(Duration.ofSeconds(1))))
        .build();
  }
}
