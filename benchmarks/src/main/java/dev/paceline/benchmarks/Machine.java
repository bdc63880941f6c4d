package dev.paceline.benchmarks;

import dev.paceline.redis.testing.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a measurement was made on, and of which versions. */
final class Machine {

  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

  private Machine() {}

  static String text() throws IOException {
    return "Measured on %d cores%s, %s %s, JDK %s, Redis %s.\nLibraries: %s."
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            processor(),
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            System.getProperty("java.version"),
            redis(),
            libraries());
  }

  private static String processor() throws IOException {
    if (!Files.isReadable(PROCESSORS)) {
      return "";
    }
    try (Stream<String> lines = Files.lines(PROCESSORS)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .findFirst()
          .map(line -> " of " + line.substring(line.indexOf(':') + 1).strip())
          .orElse("");
    }
  }

  private static String redis() {
    try (RedisServer server = RedisServer.start()) {
      String info = (String) server.call("INFO", "server");
      return info.lines()
          .filter(line -> line.startsWith("redis_version:"))
          .findFirst()
          .map(line -> line.substring(line.indexOf(':') + 1))
          .orElse("of unknown version");
    }
  }

  private static String libraries() throws IOException {
    Properties versions = new Properties();
    try (InputStream in = Machine.class.getResourceAsStream("versions.properties")) {
      if (in == null) {
        throw new IOException("versions.properties is missing");
      }
      versions.load(in);
    }
    return versions.stringPropertyNames().stream()
        .sorted()
        .map(name -> name + " " + versions.getProperty(name))
        .collect(Collectors.joining(", "));
  }
}
