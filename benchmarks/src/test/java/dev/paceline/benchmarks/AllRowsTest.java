package dev.paceline.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllRowsTest {

  private static final Path PAGE = Path.of("../docs/performance.md");

  private static String output(String... args) throws IOException, InterruptedException {
    PrintStream out = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      assertThat(AllRows.run(args)).isZero();
    } finally {
      System.setOut(out);
    }
    return said.toString(StandardCharsets.UTF_8);
  }

  private static List<Row> rows(List<String> lines) {
    return lines.stream().map(Row::parse).flatMap(Optional::stream).toList();
  }

  @Test
  void it_prints_the_rows_of_the_parts_that_are_asked_for_and_puts_them_on_the_page(
      @TempDir Path directory) throws Exception {
    Path page = Files.copy(PAGE, directory.resolve("performance.md"));

    String said = output("--quick", "--into", page.toString(), "retries", "permit", "hot64");

    List<Row> printed = rows(said.lines().toList());
    assertThat(printed).hasSize(4);
    assertThat(printed.get(0).beside())
        .contains("floor", "Guava", "Bucket4j", "Resilience4j", "Failsafe smooth");
    assertThat(printed.get(1).reached()).as("1,000 failing calls").isTrue();
    assertThat(printed.get(2).reached()).as("100,000 clients").isTrue();
    assertThat(said)
        .contains("## In process\n", "## Responses and retries\n", "## Through Redis\n")
        .doesNotContain("## While Redis fails");
    assertThat(said).contains("JDK " + System.getProperty("java.version")).contains("Redisson 3");
    assertThat(said).contains("of 4 rows are reached");
    assertThat(rows(Files.readAllLines(page))).containsAll(printed);
  }

  @Test
  void the_page_has_a_table_for_each_section_as_the_command_prints_it() throws IOException {
    List<String> lines = Files.readAllLines(PAGE);

    for (Part.Section section : Part.Section.values()) {
      int title = lines.indexOf("## " + section.title());
      assertThat(title).as(section.title()).isNotNegative();
      int table = title + lines.subList(title, lines.size()).indexOf(Row.HEAD.get(0));
      assertThat(lines.subList(table, table + 2)).isEqualTo(Row.HEAD);
      assertThat(lines.subList(title + 1, table)).noneMatch(line -> line.startsWith("#"));
      assertThat(Row.parse(lines.get(table + 2))).isPresent();
    }
  }

  @Test
  void every_part_says_how_it_is_run_alone() throws Exception {
    String said = output("--list");

    assertThat(said.lines()).hasSameSizeAs(Part.ALL);
    assertThat(said)
        .contains(
            "burst5: java -cp benchmarks/target/benchmarks.jar"
                + " dev.paceline.benchmarks.FleetComparison 15 5\n");
  }

  @Test
  void sections_name_their_parts_and_what_is_no_part_is_refused() {
    assertThat(Part.named(List.of("seeds"))).extracting(Part::name).contains("soak", "endings");
    assertThat(Part.named(List.of())).isEqualTo(Part.ALL);
    assertThatThrownBy(() -> Part.named(List.of("permit", "nonesuch")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nonesuch")
        .hasMessageContaining("hot64");
  }

  @Test
  void a_row_is_read_back_as_it_was_printed() {
    Row row = new Row("a thing", "≤ 1", false, "2", "3 of another");

    assertThat(Row.parse(row.toString())).contains(row);
    assertThat(Row.parse("| no | row |")).isEmpty();
    Row.HEAD.forEach(line -> assertThat(Row.parse(line)).isEmpty());
  }
}
