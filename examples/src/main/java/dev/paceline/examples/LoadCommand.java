package dev.paceline.examples;

import dev.paceline.Paceline;
import dev.paceline.PacelineBuilder;
import dev.paceline.event.EventListener;
import dev.paceline.feedback.Profile;
import dev.paceline.okhttp.CallOptions;
import dev.paceline.redis.RedisBuckets;
import dev.paceline.time.TimeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "load",
    sortOptions = false,
    description = "Send calls through the SDK, and say what came of them as one JSON object.")
final class LoadCommand implements Callable<Integer> {
  private static final long CALLS_BY_DEFAULT = 100;
  private static final int MOST_CALLERS = 100_000;

  @Mixin private RequestOptions request = new RequestOptions();
  @Mixin private PacingOptions pacing = new PacingOptions();
  @Mixin private RedisOptions redis = new RedisOptions();
  @Mixin private RetryOptions retries = new RetryOptions();

  @Option(
      names = "--callers",
      paramLabel = "N",
      defaultValue = "8",
      description = "Concurrent callers; ${DEFAULT-VALUE} by default.")
  private int callers;

  @Option(
      names = "--calls",
      paramLabel = "N",
      description = "How many calls; 100 by default, or any number with --duration.")
  private @Nullable Long calls;

  @Option(
      names = "--duration",
      paramLabel = "D",
      description = "How long; with --calls too, what ends first.")
  private @Nullable Duration duration;

  @Option(
      names = "--rate",
      paramLabel = "R",
      description = "Start R calls a second, however slow they are, instead of --callers.")
  private @Nullable Double rate;

  @Option(names = "--async", description = "Use the asynchronous call factory.")
  private boolean async;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "A provider's profile: stripe, github, ...")
  private @Nullable Profile profile;

  @Option(names = "--events", paramLabel = "FILE", description = "Write one JSON line an event.")
  private @Nullable Path events;

  @Spec private CommandSpec spec = CommandSpec.create();

  private final TimeSource time = TimeSource.system();

  @Override
  public Integer call() throws IOException, InterruptedException {
    try {
      checkCounts();
      return load(request.request());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), Conversions.oneLine(e), e);
    }
  }

  private void checkCounts() {
    if (callers < 1 || callers > MOST_CALLERS) {
      throw new IllegalArgumentException(
          "--callers is %d: it must be 1 to %d".formatted(callers, MOST_CALLERS));
    }
    if (calls != null && calls < 1) {
      throw new IllegalArgumentException("--calls is %d: it must be at least 1".formatted(calls));
    }
    if (duration != null && duration.isZero()) {
      throw new IllegalArgumentException("--duration is 0: it must be longer");
    }
    if (pacing.key().isBlank()) {
      throw new IllegalArgumentException("--key is blank: it must name an owner");
    }
    if (events != null && !Paths.isCreatable(events)) {
      throw new IllegalArgumentException(
          "--events is %s: there is no such directory".formatted(events));
    }
    if (rate != null && !(rate > 0 && rate <= 1e6)) {
      throw new IllegalArgumentException(
          "--rate is %s: it must be above 0, and at most 1000000".formatted(rate));
    }
  }

  private int load(Request sent) throws IOException, InterruptedException {
    Optional<RedisBuckets> shared = redis.connect();
    try (RedisBuckets buckets = shared.orElse(null);
        EventFile file = events == null ? null : EventFile.create(events, time);
        LoadClient client = client(file == null ? EventListener.none() : file, shared)) {
      WarmUp.run(time, client.warmUpCalls(), async);
      LoadReport report = new LoadReport(client);
      if (file != null) {
        file.listen();
      }
      Tally tally = new Tally();
      Duration elapsed = new Load(time, tally, plan(), client.calls(), sent, options()).run();
      spec.commandLine().getOut().println(report.line(tally, elapsed));
      return tally.hasErrors() ? PacelineCommand.FAILED : CommandLine.ExitCode.OK;
    }
  }

  private Load.Plan plan() {
    long most = calls != null ? calls : duration != null ? Long.MAX_VALUE : CALLS_BY_DEFAULT;
    return new Load.Plan(
        callers, most, Optional.ofNullable(duration), Optional.ofNullable(rate), async);
  }

  private CallOptions options() {
    CallOptions options = CallOptions.standard().owner(pacing.key()).priority(pacing.priority());
    return request.idempotencyKey() ? options.idempotencyKey(true) : options;
  }

  private LoadClient client(EventListener listener, Optional<RedisBuckets> shared) {
    PacelineBuilder builder =
        Paceline.builder()
            .listener(listener)
            .retry(retries::apply)
            .upstream("warm-up", WarmUp::describe)
            .upstream(
                "load",
                upstream -> {
                  upstream.hosts(request.url().host());
                  pacing.apply(upstream);
                  Optional.ofNullable(profile).ifPresent(upstream::profile);
                });
    pacing.apply(builder);
    shared.ifPresent(builder::sharedThrough);
    int atOnce = rate == null ? callers : MOST_CALLERS;
    return new LoadClient(builder.build(), atOnce, async, request.callTimeout());
  }
}
