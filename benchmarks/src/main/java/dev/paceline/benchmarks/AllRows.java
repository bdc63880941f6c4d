package dev.paceline.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Measures every row of the table of results, and prints it as {@code docs/performance.md} shows
 * it: one table a section. Each part runs in a process of its own; what it says meanwhile goes to
 * standard error.
 *
 * <p>{@code java -cp benchmarks.jar dev.paceline.benchmarks.AllRows [--quick] [--into FILE]
 * [part…]}: all parts by default, a part being the name of a section or of one of its parts. With
 * {@code --into} the rows replace those of the same name in that file. {@code --list} says which
 * parts there are, and by what command each can be run alone. Exits with 1 if a part failed; a row
 * that is not reached is no failure.
 */
public final class AllRows {

  private final boolean quick;
  private final List<String> failed = new ArrayList<>();

  private AllRows(boolean quick) {
    this.quick = quick;
  }

  /** Prints the tables. */
  public static void main(String[] args) throws IOException, InterruptedException {
    System.exit(run(args));
  }

  /** Returns the exit code. */
  static int run(String... args) throws IOException, InterruptedException {
    List<String> names = new ArrayList<>(List.of(args));
    boolean quick = names.remove("--quick");
    if (names.contains("--list")) {
      Part.ALL.forEach(part -> System.out.println(part.name() + ": " + part.text(quick)));
      return 0;
    }
    Optional<Path> into = Optional.empty();
    int option = names.indexOf("--into");
    if (option >= 0) {
      into = Optional.of(Path.of(names.remove(option + 1)));
      names.remove(option);
    }
    List<Part> parts = Part.named(names);
    AllRows all = new AllRows(quick);
    List<Row> rows = all.run(parts);
    if (into.isPresent()) {
      ResultsFile.replace(into.get(), rows).forEach(System.err::println);
    }
    return all.failed.isEmpty() ? 0 : 1;
  }

  private List<Row> run(List<Part> parts) throws IOException, InterruptedException {
    System.out.println(Machine.text());
    if (quick) {
      System.out.println("\nA quick run, to see that all parts work: its figures mean nothing.");
    }
    List<Row> rows = new ArrayList<>();
    String section = "";
    for (Part part : parts) {
      if (!part.section().title().equals(section)) {
        section = part.section().title();
        System.out.println("\n## " + section + "\n");
        Row.HEAD.forEach(System.out::println);
      }
      List<Row> measured = run(part);
      measured.forEach(System.out::println);
      rows.addAll(measured);
    }
    List<Row> missed = rows.stream().filter(row -> !row.reached()).toList();
    System.out.printf("%n%d of %d rows are reached.%n", rows.size() - missed.size(), rows.size());
    missed.forEach(row -> System.out.println("- Not reached: " + row.what()));
    failed.forEach(part -> System.out.println("- Failed: " + part));
    return rows;
  }

  private List<Row> run(Part part) throws IOException, InterruptedException {
    System.err.println("--- " + part.name() + ": " + part.text(quick));
    long start = System.nanoTime();
    List<Row> rows = new ArrayList<>();
    Process process =
        new ProcessBuilder(part.command(quick))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = process.inputReader()) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        Row.parse(line).ifPresentOrElse(rows::add, echo(line));
      }
    } finally {
      process.destroy();
    }
    int code = process.waitFor();
    // Some say by their exit code that a row was not reached.
    if (rows.isEmpty() || code > 1) {
      failed.add(part.name());
    }
    System.err.printf(
        "--- %s took %d s%n", part.name(), (System.nanoTime() - start) / 1_000_000_000);
    return rows;
  }

  private static Runnable echo(String line) {
    return () -> {
      if (!Row.HEAD.contains(line)) {
        System.err.println(line);
      }
    };
  }
}
