package dev.paceline.benchmarks;

import java.util.List;
import java.util.Locale;

/**
 * One line of the table of results.
 *
 * @param what was measured
 * @param target what it must reach
 * @param reached whether it did
 * @param measured of Paceline
 * @param beside of others, in the same run
 */
record Row(String what, String target, boolean reached, String measured, String beside) {

  static void print(List<Row> rows) {
    System.out.println("| what | target | reached | Paceline | beside it |");
    System.out.println("| --- | --- | --- | --- | --- |");
    for (Row row : rows) {
      System.out.printf(
          "| %s | %s | %s | %s | %s |%n",
          row.what, row.target, row.reached ? "yes" : "**no**", row.measured, row.beside);
    }
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

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", share * 100);
  }
}
