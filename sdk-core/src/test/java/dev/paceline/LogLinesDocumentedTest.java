package dev.paceline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whoever reads a line in a log finds it in the page on operations. */
final class LogLinesDocumentedTest {

  private static final Path ROOT = Path.of("..");
  private static final List<String> MODULES =
      List.of("sdk-core", "okhttp-interceptor", "redis-shared-bucket");

  /** A call of a logger with a literal as its text. */
  private static final Pattern LINE =
      Pattern.compile(
          "(?:\\blog|\\bLOG|getLogger\\([^)]*\\))\\s*\\.\\s*(?:error|warn|info|debug|trace)\\(\\s*\"([^\"]+)\"");

  /** What is put together before it is logged. */
  private static final List<String> BUILT =
      List.of(
          "the store had lost the schedule, which is restored",
          "the stored value was no schedule",
          "the store's clock had stepped back",
          "the retry budget is exhausted",
          "the provider asks to wait",
          "learned a limit of",
          "calls are refused although the limit is kept",
          "refusals have ended, and so has the guard",
          "the permit would come in",
          "as many callers wait as may",
          "as many calls are in flight as may be",
          "the provider says that the quota is spent",
          "can never pass limit",
          "the shared store is away and this upstream refuses calls then",
          "the circuit is open after repeated failures");

  private static List<String> sources() throws IOException {
    List<String> sources = new ArrayList<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          sources.add(Files.readString(file));
        }
      }
    }
    return sources;
  }

  /** The first words between the places that are filled in. */
  private static String fixedPart(String text) {
    return Stream.of(text.split("\\{}|;|: ", -1))
        .map(String::strip)
        .filter(words -> words.length() > 7)
        .findFirst()
        .orElse("");
  }

  @Test
  void every_line_that_can_be_logged_is_named_in_the_page_on_operations() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/operations.md"));
    List<String> found = new ArrayList<>();
    for (String source : sources()) {
      Matcher lines = LINE.matcher(source);
      while (lines.find()) {
        String words = fixedPart(lines.group(1));
        if (!words.isEmpty()) {
          found.add(words);
        }
      }
    }
    assertThat(found).hasSizeGreaterThan(12);
    assertThat(found).allSatisfy(words -> assertThat(page).contains(words));
    assertThat(BUILT).allSatisfy(words -> assertThat(page).contains(words));
  }

  @Test
  void the_lines_that_are_put_together_are_still_logged() throws IOException {
    String all = String.join("\n", sources());
    assertThat(BUILT).allSatisfy(words -> assertThat(all).contains(words));
  }
}
