package dev.paceline.examples;

import dev.paceline.redis.RedisBuckets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The Redis through which schedules are shared. */
final class RedisOptions {
  @Spec(Target.MIXEE)
  private CommandSpec mixee = CommandSpec.create();

  @Option(
      names = "--redis",
      paramLabel = "URI",
      description =
          "Share through Redis: redis://, rediss://, redis-sentinel://, or several redis:// nodes"
              + " separated by commas (a cluster). In process by default.")
  private @Nullable String uri;

  boolean isGiven() {
    return uri != null;
  }

  /**
   * Connects, if an address was given.
   *
   * @throws ParameterException if it is no address
   * @throws IllegalStateException if that Redis cannot be reached or used
   */
  Optional<RedisBuckets> connect() {
    if (uri == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(RedisBuckets.connect(uri));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(mixee.commandLine(), "--redis: " + Conversions.oneLine(e), e);
    }
  }
}
