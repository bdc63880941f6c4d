package dev.paceline.examples;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Both runs side by side, as rows of text. */
final class DemoTable {
  private final int limitPerSecond;

  DemoTable(int limitPerSecond) {
    this.limitPerSecond = limitPerSecond;
  }

  /** What a row says of a run. */
  record Row(String what, Function<DemoResult, String> of) {}

  List<Row> rows() {
    return List.of(
        new Row("calls answered", run -> count(run.answered())),
        new Row(
            "goodput (of the limit)",
            run -> format("%.1f/s (%.1f %%)", run.goodput(), 100 * run.goodput() / limitPerSecond)),
        new Row("refusals (429)", run -> count(run.arrivals().refusedCount())),
        new Row("attempts per call", run -> format("%.2f", run.attemptsPerCall())),
        new Row("calls that failed", run -> count(run.failed() + run.errors())),
        new Row("wait, half of the calls", run -> millis(run.waits().millis(0.5))),
        new Row("wait, 99 of 100 calls", run -> millis(run.waits().millis(0.99))),
        new Row("wait, longest", run -> millis(run.waits().maxMillis())));
  }

  /** The table, a line a row. */
  String text(List<DemoResult> runs) {
    StringBuilder text = new StringBuilder(format("%-26s", ""));
    runs.forEach(run -> text.append(format("%20s", run.name())));
    text.append('\n').append("-".repeat(26 + 20 * runs.size())).append('\n');
    for (Row row : rows()) {
      text.append(format("%-26s", row.what()));
      runs.forEach(run -> text.append(format("%20s", row.of().apply(run))));
      text.append('\n');
    }
    return text.toString();
  }

  private static String count(int number) {
    return format("%,d", number);
  }

  private static String millis(double millis) {
    return format(millis < 10 ? "%.1f ms" : "%,.0f ms", millis);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
