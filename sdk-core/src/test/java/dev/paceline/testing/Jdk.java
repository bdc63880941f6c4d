package dev.paceline.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * A JDK on this machine.
 *
 * @param home where it is installed
 * @param feature its feature release, such as 17
 */
public record Jdk(Path home, int feature) {

  /** The one that runs this. */
  public static Jdk running() {
    return new Jdk(Path.of(System.getProperty("java.home")), Runtime.version().feature());
  }

  /**
   * The newest among the running one, those installed beside it, and those the environment names.
   */
  public static Jdk newest() {
    return newest(running(), System.getenv());
  }

  static Jdk newest(Jdk running, Map<String, String> environment) {
    Stream<Path> named =
        environment.entrySet().stream()
            .filter(variable -> variable.getKey().startsWith("JAVA_HOME"))
            .filter(variable -> !variable.getValue().isBlank())
            .map(variable -> Path.of(variable.getValue()));
    return Stream.concat(siblings(running.home()), named)
        .flatMap(home -> at(home).stream())
        .filter(jdk -> jdk.feature() > running.feature())
        .max(Comparator.comparingInt(Jdk::feature))
        .orElse(running);
  }

  private static Stream<Path> siblings(Path home) {
    Path parent = home.toAbsolutePath().getParent();
    if (parent == null) {
      return Stream.empty();
    }
    try (Stream<Path> entries = Files.list(parent)) {
      return entries.toList().stream();
    } catch (IOException e) {
      return Stream.empty();
    }
  }

  /** Reads the file {@code release} that every JDK since 9 has. */
  private static Optional<Jdk> at(Path home) {
    if (!Files.isExecutable(home.resolve("bin").resolve("java"))) {
      return Optional.empty();
    }
    Properties release = new Properties();
    try (InputStream in = Files.newInputStream(home.resolve("release"))) {
      release.load(in);
      String version = release.getProperty("JAVA_VERSION", "").replace("\"", "");
      return Optional.of(new Jdk(home, Runtime.Version.parse(version).feature()));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Its {@code java}. */
  public Path java() {
    return home.resolve("bin").resolve("java");
  }

  /** Whether threads can be virtual there. */
  public boolean hasVirtualThreads() {
    return feature >= 21;
  }
}
