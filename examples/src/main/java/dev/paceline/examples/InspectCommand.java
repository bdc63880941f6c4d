package dev.paceline.examples;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paceline.limit.Limit;
import dev.paceline.redis.RedisInspector;
import dev.paceline.redis.RedisInspector.SeenWorker;
import dev.paceline.redis.SharedScope;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "inspect",
    description =
        "The scopes known to Redis: their limits, what is left now, how far ahead they are"
            + " reserved, their cooldowns, and the workers seen.")
final class InspectCommand implements Callable<Integer> {
  @Option(
      names = "--redis",
      required = true,
      paramLabel = "URI",
      description =
          "redis://, rediss://, redis-sentinel://, or several redis:// nodes separated by commas"
              + " (a cluster).")
  private String uri = "";

  @Option(
      names = "--key",
      paramLabel = "NAME",
      description = "Only what this owner has, or the scope that is written UPSTREAM/OWNER/RULE.")
  private @Nullable String key;

  @Option(names = "--clear-cooldown", description = "End the cooldown of --key, for all workers.")
  private boolean clearCooldown;

  @Option(names = "--json", description = "One JSON object a scope.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    if (clearCooldown && key == null) {
      throw new ParameterException(
          spec.commandLine(), "--clear-cooldown goes with --key: it ends the cooldown of one");
    }
    try (RedisInspector redis = RedisInspector.connect(uri)) {
      List<SharedScope> scopes = asked(redis);
      if (key != null && scopes.isEmpty()) {
        spec.commandLine().getErr().printf("paceline inspect: no scope is named %s%n", key);
        return PacelineCommand.FAILED;
      }
      if (clearCooldown && !clear(redis, scopes)) {
        return PacelineCommand.FAILED;
      }
      print(clearCooldown ? asked(redis) : scopes, redis.workers());
      return CommandLine.ExitCode.OK;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--redis: " + Conversions.oneLine(e), e);
    }
  }

  private List<SharedScope> asked(RedisInspector redis) {
    return redis.scopes().stream()
        .filter(
            scope ->
                key == null
                    || key.equals(scope.key().owner())
                    || key.equals(scope.key().toString()))
        .toList();
  }

  private boolean clear(RedisInspector redis, List<SharedScope> scopes) {
    PrintWriter err = spec.commandLine().getErr();
    boolean cleared = true;
    for (SharedScope scope : scopes) {
      if (scope.cooldown().isZero()) {
        err.printf("%s has no cooldown%n", scope.key());
      } else if (redis.clearCooldown(scope.key())) {
        err.printf("the cooldown of %s is ended%n", scope.key());
      } else {
        cleared = false;
        err.printf("paceline inspect: the cooldown of %s cannot be ended%n", scope.key());
      }
    }
    return cleared;
  }

  private void print(List<SharedScope> scopes, List<SeenWorker> workers) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      scopes.forEach(scope -> out.println(Json.line(told(scope, workers))));
      return;
    }
    out.printf("workers seen: %d%n", workers.size());
    workers.forEach(
        worker -> out.printf("  %s, %s ago%n", worker.name(), seconds(worker.seenAgo())));
    out.printf("scopes: %d%n", scopes.size());
    scopes.forEach(scope -> print(out, scope));
  }

  private static ObjectNode told(SharedScope scope, List<SeenWorker> workers) {
    ObjectNode told =
        Json.object()
            .put("scope", scope.key().toString())
            .put("upstream", scope.key().upstream())
            .put("key", scope.key().owner())
            .put("rule", scope.key().rule());
    ArrayNode limits = told.putArray("limits");
    scope.limits().forEach(limit -> limits.add(written(limit)));
    if (scope.remaining().isPresent()) {
      told.put("remaining", scope.remaining().getAsLong());
    } else {
      told.putNull("remaining");
    }
    told.put("reserved_ahead_ms", millis(scope.reservedAhead()))
        .put("cooldown_ms", millis(scope.cooldown()))
        .put("guard_ms", millis(scope.guard()))
        .put("generation", scope.generation())
        .put("expires_in_ms", scope.expiresIn().toMillis());
    ArrayNode seen = told.putArray("workers");
    workers.forEach(
        worker ->
            seen.addObject()
                .put("name", worker.name())
                .put("seen_ms_ago", millis(worker.seenAgo())));
    return told;
  }

  private static void print(PrintWriter out, SharedScope scope) {
    String limits =
        scope.limits().isEmpty()
            ? "not told by any worker lately"
            : scope.limits().stream()
                .map(InspectCommand::written)
                .collect(Collectors.joining(", "));
    out.printf("%n%s%n", scope.key());
    line(out, "limits", limits);
    line(
        out,
        "left now",
        scope.remaining().isPresent()
            ? Long.toString(scope.remaining().getAsLong())
            : "not known without the limits");
    line(out, "reserved ahead", seconds(scope.reservedAhead()));
    line(
        out,
        "cooldown",
        scope.cooldown().isZero() ? "none" : "lasts another " + seconds(scope.cooldown()));
    if (!scope.guard().isZero()) {
      line(out, "guard", millis(scope.guard()).toPlainString() + " ms");
    }
    line(out, "forgotten in", seconds(scope.expiresIn()));
  }

  private static void line(PrintWriter out, String what, String value) {
    out.printf("  %-16s%s%n", what, value);
  }

  private static String written(Limit limit) {
    return limit.unit().equals(Limit.REQUESTS) ? limit.toString() : limit + " " + limit.unit();
  }

  private static BigDecimal millis(Duration duration) {
    return BigDecimal.valueOf(TimeUnit.MICROSECONDS.convert(duration), 3);
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.3f s", duration.toNanos() / 1e9);
  }
}
