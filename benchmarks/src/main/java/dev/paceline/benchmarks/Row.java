package dev.paceline.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One line of the table of results.
 *
 * @param what was measured; the name of the line, the same in every run
 * @param target what it must reach
 * @param reached whether it did
 * @param measured of Paceline
 * @param beside of others, in the same run
 */
public record Row(String what, String target, boolean reached, String measured, String beside) {

  static final List<String> HEAD =
      List.of(
          "| what | target | reached | Paceline | beside it |", "| --- | --- | --- | --- | --- |");

  private static final String NOT_REACHED = "**no**";

  /** Prints a table. */
  public static void print(List<Row> rows) {
    HEAD.forEach(System.out::println);
    rows.forEach(System.out::println);
  }

  /** As a line of a table. */
  @Override
  public String toString() {
    return "| %s | %s | %s | %s | %s |"
        .formatted(
            cell(what), cell(target), reached ? "yes" : NOT_REACHED, cell(measured), cell(beside));
  }

  private static String cell(String text) {
    return text.replace('|', '/').replace('\n', ' ');
  }

  /** The row that a line of a table is; empty if it is none, or the table's head. */
  static Optional<Row> parse(String line) {
    String[] cells = line.split("\\|", -1);
    if (cells.length != 7 || HEAD.contains(line)) {
      return Optional.empty();
    }
    return Optional.of(
        new Row(
            cells[1].strip(),
            cells[2].strip(),
            !cells[3].strip().equals(NOT_REACHED),
            cells[4].strip(),
            cells[5].strip()));
  }

  /** A number with three digits that count. */
  static String number(double value) {
    if (value >= 1_000_000) {
      return String.format(Locale.ROOT, "%.2f million", value / 1e6);
    }
    if (value >= 1_000) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
  }

  /** A share in percent. */
  public static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", share * 100);
  }
}
