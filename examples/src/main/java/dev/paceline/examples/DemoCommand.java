package dev.paceline.examples;

import dev.paceline.Paceline;
import dev.paceline.PacelineBuilder;
import dev.paceline.limit.Limit;
import dev.paceline.redis.RedisBuckets;
import dev.paceline.store.LocalStore;
import dev.paceline.store.ScheduleStore;
import dev.paceline.time.TimeSource;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "demo",
    description = {
      "The main job in one command: what a provider with a hard limit sees of the same work, first"
          + " from a client that only retries, then through Paceline.",
    })
final class DemoCommand implements Callable<Integer> {
  private static final int LIMIT_PER_SECOND = 200;
  private static final int PROVIDER_BURST = 5;
  private static final int WORKERS = 4;
  private static final int CALLERS = 8;
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofHours(1);

  @Option(
      names = "--duration",
      paramLabel = "D",
      defaultValue = "12s",
      description = "How long both runs take together; 12s by default.")
  private Duration duration = Duration.ZERO;

  @Option(
      names = "--report",
      paramLabel = "FILE.html",
      description = "Write a page with the arrivals at the provider over time, both runs.")
  private @Nullable Path report;

  @Mixin private RedisOptions redis = new RedisOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  private final TimeSource time = TimeSource.system();

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    try (StrictProvider provider = StrictProvider.start(time, LIMIT_PER_SECOND, PROVIDER_BURST);
        ScheduleStore store = LocalStore.create(time)) {
      // Paceline comes second, but a Redis that is not there is to be known first.
      List<DemoClient> paced = workers(() -> paced(provider, store));
      List<DemoClient> retrying = workers(() -> new RetryOnlyClient(time, provider, CALLERS));
      spec.commandLine()
          .getErr()
          .printf(
              "A provider takes %d calls a second, %d at once. %d workers with %d callers each send"
                  + " as much as they can.%n",
              LIMIT_PER_SECOND, PROVIDER_BURST, WORKERS, CALLERS);
      return tell(
          List.of(
              run("retries only", provider, retrying), run("through Paceline", provider, paced)));
    }
  }

  private void check() {
    if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
      throw new ParameterException(
          spec.commandLine(), "--duration is %s: it must be 1s to 1h".formatted(duration));
    }
    if (report != null && !Paths.isCreatable(report)) {
      throw new ParameterException(
          spec.commandLine(), "--report is %s: there is no such directory".formatted(report));
    }
  }

  private DemoClient paced(StrictProvider provider, ScheduleStore store) {
    // The provider's burst is left as tolerance for the jitter of the way to it.
    Optional<RedisBuckets> shared = redis.connect();
    PacelineBuilder builder =
        Paceline.builder()
            .upstream(
                "demo",
                upstream ->
                    upstream
                        .hosts(provider.host())
                        .limit("POST " + Charges.ROUTE, perSecond(LIMIT_PER_SECOND))
                        .limit("GET " + StrictProvider.UNJUDGED, perSecond(2_000)));
    shared.ifPresentOrElse(builder::sharedThrough, () -> builder.store(store));
    return new PacedClient(
        time, provider, builder.build(), CALLERS, () -> shared.ifPresent(RedisBuckets::close));
  }

  private static Limit perSecond(int permits) {
    return Limit.of(permits).per(Duration.ofSeconds(1));
  }

  private static List<DemoClient> workers(Supplier<DemoClient> worker) {
    return Stream.generate(worker).limit(WORKERS).toList();
  }

  private DemoResult run(String name, StrictProvider provider, List<DemoClient> workers)
      throws InterruptedException {
    try {
      return new DemoRun(time, provider, workers, duration.dividedBy(2))
          .run(name, CALLERS, spec.commandLine().getErr());
    } finally {
      workers.forEach(DemoClient::close);
    }
  }

  private int tell(List<DemoResult> runs) throws IOException {
    DemoTable table = new DemoTable(LIMIT_PER_SECOND);
    PrintWriter out = spec.commandLine().getOut();
    out.print(table.text(runs));
    out.flush();
    if (report != null) {
      Files.writeString(
          report, new DemoPage(LIMIT_PER_SECOND, table).html(runs), StandardCharsets.UTF_8);
      spec.commandLine().getErr().printf("The arrivals over time are in %s%n", report);
    }
    boolean failed = runs.stream().anyMatch(run -> run.errors() > 0);
    return failed ? PacelineCommand.FAILED : CommandLine.ExitCode.OK;
  }
}
