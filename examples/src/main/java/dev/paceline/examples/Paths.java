package dev.paceline.examples;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where results can be written to. */
final class Paths {
  private Paths() {}

  static boolean isCreatable(Path file) {
    Path directory = file.toAbsolutePath().getParent();
    return directory != null && Files.isDirectory(directory) && !Files.isDirectory(file);
  }
}
