package dev.paceline.benchmarks;

import dev.paceline.benchmarks.outage.OutageMatrix;
import dev.paceline.benchmarks.soak.Endings;
import dev.paceline.benchmarks.soak.LongOutage;
import dev.paceline.benchmarks.soak.Soak;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One program that measures some rows.
 *
 * @param section where its rows stand
 * @param name by which it is asked for
 * @param main the program
 * @param full its arguments
 * @param brief its arguments where it is only to be seen that it works
 */
record Part(Section section, String name, Class<?> main, List<String> full, List<String> brief) {

  /** A table of the results. */
  enum Section {
    IN_PROCESS("In process"),
    RESPONSES("Responses and retries"),
    REDIS("Through Redis"),
    FLEET("A fleet at a strict provider"),
    OUTAGES("While Redis fails"),
    SEEDS("Faults from seeds");

    private final String title;

    Section(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }

    String key() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** A million keys of five kinds. */
  private static final List<String> LARGE_HEAP = List.of("-Xms4g", "-Xmx4g");

  static final List<Part> ALL =
      List.of(
          part(Section.IN_PROCESS, "permit", InProcess.class, "permit", "--quick permit"),
          part(Section.IN_PROCESS, "permit2", InProcess.class, "permit2", "--quick permit2"),
          part(Section.IN_PROCESS, "keyed", KeyedRatios.class, "15", "1 10000"),
          part(
              Section.IN_PROCESS,
              "interceptor",
              InProcess.class,
              "interceptor",
              "--quick interceptor"),
          part(Section.IN_PROCESS, "loopback", LoopbackRatios.class, "300", "6"),
          part(Section.RESPONSES, "feedback", InProcess.class, "feedback", "--quick feedback"),
          part(Section.RESPONSES, "retries", Retries.class, "1000 100000", "100 5000"),
          part(Section.REDIS, "one", RedisComparison.class, "1 5 one", "0.1 1 one"),
          part(Section.REDIS, "hot64", RedisComparison.class, "1 5 hot64", "0.1 1 hot64"),
          part(Section.REDIS, "hot256", RedisComparison.class, "1 5 hot256", "0.1 1 hot256"),
          part(Section.REDIS, "four", RedisComparison.class, "1 5 four", "0.1 1 four"),
          part(Section.REDIS, "many", RedisComparison.class, "1 5 many", "0.1 1 many"),
          part(Section.REDIS, "memory", RedisComparison.class, "1 1 memory", "0.1 1 memory"),
          part(Section.FLEET, "burst5", FleetComparison.class, "15 5", "1 5"),
          part(Section.FLEET, "burst2", FleetComparison.class, "15 2", "1 2"),
          part(Section.FLEET, "burst1", FleetComparison.class, "15 1", "1 1"),
          part(Section.FLEET, "less", FleetComparison.class, "15 less", "1 less"),
          part(Section.FLEET, "cooldown", FleetCooldown.class, "10", "2"),
          part(Section.OUTAGES, "matrix", OutageMatrix.class, "10", "1"),
          part(Section.OUTAGES, "long-outage", LongOutage.class, "60", "2"),
          part(Section.SEEDS, "soak", Soak.class, "600 1 2 3", "5 1"),
          part(Section.SEEDS, "endings", Endings.class, "100000 1", "1000 1"));

  private static Part part(Section section, String name, Class<?> main, String full, String brief) {
    return new Part(
        section, name, main, List.of(full.split(" ", -1)), List.of(brief.split(" ", -1)));
  }

  /** The parts of these names or sections, in the table's order; all if there are none. */
  static List<Part> named(List<String> names) {
    List<Part> parts = new ArrayList<>();
    for (Part part : ALL) {
      if (names.isEmpty() || names.contains(part.name) || names.contains(part.section.key())) {
        parts.add(part);
      }
    }
    for (String name : names) {
      if (parts.stream().noneMatch(p -> name.equals(p.name) || name.equals(p.section.key()))) {
        throw new IllegalArgumentException(
            "no part " + name + "; there are " + ALL.stream().map(Part::name).toList());
      }
    }
    return parts;
  }

  private List<String> heap() {
    return main == KeyedRatios.class ? LARGE_HEAP : List.of();
  }

  private List<String> arguments(boolean quick) {
    return quick ? brief : full;
  }

  /** How this process starts it. */
  List<String> command(boolean quick) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(quick ? List.of() : heap());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments(quick));
    return command;
  }

  /** How it is run alone. */
  String text(boolean quick) {
    List<String> words = new ArrayList<>(List.of("java"));
    words.addAll(quick ? List.of() : heap());
    words.addAll(List.of("-cp", "benchmarks/target/benchmarks.jar", main.getName()));
    words.addAll(arguments(quick));
    return String.join(" ", words);
  }
}
