package dev.paceline.redis.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/**
 * The Redis server that the tests start: the one that {@value #VARIABLE} names, or the binary that
 * comes in a Maven artifact. A machine that has neither fails the tests.
 */
final class RedisBinary {
  static final String VARIABLE = "PACELINE_REDIS_SERVER";

  private static final Path PATH = locate();

  private RedisBinary() {}

  static Path path() {
    return PATH;
  }

  private static Path locate() {
    String named = System.getenv(VARIABLE);
    if (named != null && !named.isBlank()) {
      Path path = Path.of(named);
      if (!Files.isExecutable(path)) {
        throw new IllegalStateException(VARIABLE + "=" + named + " is not an executable file");
      }
      return path;
    }
    return extract(resource());
  }

  private static String resource() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    boolean arm = System.getProperty("os.arch").matches("aarch64|arm64");
    if (system.startsWith("linux")) {
      return arm ? "redis-server-6.2.7-linux-arm64" : "redis-server-6.2.6-v5-linux-amd64";
    }
    if (system.startsWith("mac")) {
      return arm ? "redis-server-6.2.6-v5-darwin-arm64" : "redis-server-6.2.6-v5-darwin-amd64";
    }
    throw new IllegalStateException(
        "no Redis server comes for " + system + "; set " + VARIABLE + " to one");
  }

  private static Path extract(String name) {
    Path target = Path.of(System.getProperty("java.io.tmpdir"), "paceline-test-" + name);
    try (InputStream in = RedisBinary.class.getResourceAsStream("/" + name)) {
      if (in == null) {
        throw new IllegalStateException(
            name
                + " is not on the class path; it comes with com.github.codemonstur:embedded-redis");
      }
      byte[] binary = in.readAllBytes();
      if (!Files.isExecutable(target) || Files.size(target) != binary.length) {
        // Another test process may be doing the same: a whole file, or none.
        Path fresh = Files.createTempFile("paceline-test-", name);
        Files.write(fresh, binary);
        if (!fresh.toFile().setExecutable(true)) {
          throw new IllegalStateException(fresh + " cannot be made executable");
        }
        Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
      }
      return target;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
