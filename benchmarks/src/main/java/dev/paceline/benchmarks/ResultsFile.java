package dev.paceline.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A page that shows rows. */
final class ResultsFile {

  private ResultsFile() {}

  /**
   * Puts rows in the place of those of the same name.
   *
   * @return what found no place
   */
  static List<Row> replace(Path file, List<Row> rows) throws IOException {
    List<Row> left = new ArrayList<>(rows);
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      Optional<Row> next =
          Row.parse(line)
              .flatMap(old -> left.stream().filter(r -> r.what().equals(old.what())).findFirst());
      next.ifPresent(left::remove);
      lines.add(next.map(Row::toString).orElse(line));
    }
    Files.write(file, lines);
    return left;
  }
}
