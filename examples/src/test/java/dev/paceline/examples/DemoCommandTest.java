package dev.paceline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandTest {
  private static final Pattern SHARE = Pattern.compile("\\(([0-9.]+) %\\)");

  @Test
  void paced_calls_use_the_limit_and_are_not_refused(@TempDir Path directory) throws IOException {
    Path report = directory.resolve("report.html");

    CommandRun run = CommandRun.of("demo", "--duration", "4s", "--report", report.toString());

    assertThat(run.exit()).isZero();
    List<String> refusals = row(run, "refusals (429)");
    int retriesOnly = Integer.parseInt(refusals.get(0));
    assertThat(retriesOnly).isGreaterThan(100);
    // On a machine that stalls callers for longer than the provider's burst, a few are refused.
    assertThat(Integer.parseInt(refusals.get(1))).isLessThan(retriesOnly / 10);
    assertThat(shares(run).get(1)).isGreaterThan(75);
    assertThat(run.err()).anyMatch(line -> line.contains("retries only") && line.contains("1 s"));
    assertThat(run.err()).anyMatch(line -> line.contains("through Paceline"));

    String page = Files.readString(report);
    assertThat(page.split("<svg", -1)).hasSize(3);
    assertThat(page).contains("class=\"refused\" x=").doesNotContain("http", "NaN", "Infinity");
  }

  private static List<String> row(CommandRun run, String name) {
    String row = run.out().stream().filter(line -> line.startsWith(name)).findFirst().orElseThrow();
    return List.of(row.substring(name.length()).strip().replace(",", "").split(" {2,}"));
  }

  private static List<Double> shares(CommandRun run) {
    return SHARE
        .matcher(String.join(" ", row(run, "goodput (of the limit)")))
        .results()
        .map(match -> Double.valueOf(match.group(1)))
        .toList();
  }
}
