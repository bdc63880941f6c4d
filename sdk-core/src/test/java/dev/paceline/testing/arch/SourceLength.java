package dev.paceline.testing.arch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** How long source files are. */
public final class SourceLength {
  /** The longest source file that the project accepts under {@code src/main}. */
  public static final int MAIN = 400;

  /** The longest source file that the project accepts under {@code src/test}. */
  public static final int TEST = 500;

  private SourceLength() {}

  /** The Java and Lua files under a folder with more lines than that, as {@code lines path}. */
  public static List<String> longerThan(int lines, Path folder) throws IOException {
    if (Files.notExists(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().matches(".*\\.(java|lua)"))
          .filter(file -> count(file) > lines)
          .map(file -> count(file) + " " + file)
          .sorted()
          .toList();
    }
  }

  private static long count(Path file) {
    try (Stream<String> lines = Files.lines(file, UTF_8)) {
      return lines.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
