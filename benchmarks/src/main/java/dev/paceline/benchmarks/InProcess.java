package dev.paceline.benchmarks;

import dev.paceline.benchmarks.Jmh.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/**
 * The rows of what happens in one process, each from one run of JMH.
 *
 * <p>{@code java -cp benchmarks.jar dev.paceline.benchmarks.InProcess [--quick] [part…]}, parts
 * being {@code permit}, {@code permit2}, {@code interceptor}, {@code feedback}; all by default.
 */
final class InProcess {

  private static final List<String> PARTS = List.of("permit", "permit2", "interceptor", "feedback");

  private static final Map<String, String> LIMITERS =
      Map.of(
          "failsafeBursty", "Failsafe bursty",
          "failsafeSmooth", "Failsafe smooth",
          "guava", "Guava",
          "resilience4j", "Resilience4j",
          "bucket4j", "Bucket4j");

  private final boolean quick;

  private InProcess(boolean quick) {
    this.quick = quick;
  }

  /** Prints the table. */
  public static void main(String[] args) throws RunnerException {
    List<String> parts = new ArrayList<>(List.of(args));
    InProcess all = new InProcess(parts.remove("--quick"));
    List<Row> rows = new ArrayList<>();
    for (String part : parts.isEmpty() ? PARTS : parts) {
      switch (part) {
        case "permit" -> rows.add(all.permit());
        case "permit2" -> rows.add(all.permitOfTwo());
        case "interceptor" -> rows.add(all.interceptor());
        case "feedback" -> rows.addAll(all.feedback());
        default -> throw new IllegalArgumentException(part + ": parts are " + PARTS);
      }
    }
    Row.print(rows);
  }

  private static Figures of(Map<String, Figures> all, String name) {
    Figures figures = all.get(name);
    if (figures == null) {
      throw new IllegalStateException("no " + name + " in " + all.keySet());
    }
    return figures;
  }

  private Row permit() throws RunnerException {
    Map<String, Figures> all = Jmh.run(PermitBenchmark.class, "", 1, quick);
    Figures paceline = of(all, "paceline");
    double toFloor = paceline.time() / of(all, "floor").time();
    double toBest = paceline.time() / best(all);
    return new Row(
        "permit, one key, granted at once",
        "0 B; ≤ 1.15 × one clock reading and one compare-and-set; ≤ 1.1 × the best other",
        !paceline.allocates() && toFloor <= 1.15 && toBest <= 1.1,
        "%s, %s; %s ×, %s ×"
            .formatted(
                paceline.text("ns"), paceline.bytesText(), Row.number(toFloor), Row.number(toBest)),
        beside(all));
  }

  private Row permitOfTwo() throws RunnerException {
    Map<String, Figures> all = Jmh.run(PermitBenchmark.class, "", 2, quick);
    Figures paceline = of(all, "paceline");
    double toFloor = paceline.time() / of(all, "floor").time();
    return new Row(
        "same, 2 threads on the key",
        "≤ 1.3 × the same floor; faster than every other",
        toFloor <= 1.3 && paceline.time() < best(all),
        "%s; %s ×, %s × the best other"
            .formatted(
                paceline.text("ns"), Row.number(toFloor), Row.number(paceline.time() / best(all))),
        beside(all));
  }

  private static double best(Map<String, Figures> all) {
    return LIMITERS.keySet().stream().mapToDouble(name -> of(all, name).time()).min().orElseThrow();
  }

  private static String beside(Map<String, Figures> all) {
    List<String> parts = new ArrayList<>();
    parts.add("floor " + of(all, "floor").text("ns"));
    LIMITERS.entrySet().stream()
        .sorted((a, b) -> Double.compare(of(all, a.getKey()).time(), of(all, b.getKey()).time()))
        .forEach(e -> parts.add(e.getValue() + " " + of(all, e.getKey()).text("ns")));
    return String.join("; ", parts);
  }

  private Row interceptor() throws RunnerException {
    Map<String, Figures> all = Jmh.run(InterceptorBenchmark.class, "answered", 1, quick);
    Figures empty = of(all, "answered/EMPTY");
    Figures paceline = of(all, "answered/PACELINE");
    return new Row(
        "interceptor with a limit and retries, a call answered without a network",
        "≤ 400 ns and ≤ 700 B more than an empty interceptor",
        paceline.time() - empty.time() <= 400 && paceline.bytes() - empty.bytes() <= 700,
        added(paceline, empty) + " more",
        "empty %s; Failsafe, retry, %s more; Resilience4j, retry and limiter, %s more"
            .formatted(
                empty.text("ns"),
                added(of(all, "answered/FAILSAFE"), empty),
                added(of(all, "answered/RESILIENCE4J"), empty)));
  }

  private static String added(Figures figures, Figures to) {
    return "%d ns and %d B"
        .formatted(
            Math.round(figures.time() - to.time()), Math.round(figures.bytes() - to.bytes()));
  }

  private List<Row> feedback() throws RunnerException {
    Map<String, Figures> all = Jmh.run(FeedbackBenchmark.class, "", 1, quick);
    return List.of(
        response(all, "SILENT", "a response that says nothing about limits", 50, 0),
        response(all, "COUNTERS", "one with counters", 50, 1 << 20),
        response(all, "REFUSAL", "a refusal with four quotas", 50, 1 << 20),
        response(all, "BODY", "a refusal whose reason is in the body", 50, 1 << 20),
        response(all, "HOSTILE_FIELDS", "the most hostile fields", 5_000, 1 << 20),
        response(all, "HOSTILE_VALUES", "the most hostile values", 5_000, 1 << 20),
        response(all, "HOSTILE_BODY", "the most hostile body", 5_000, 1 << 20));
  }

  private static Row response(
      Map<String, Figures> all, String name, String what, long micros, long bytes) {
    Figures read = of(all, "read/" + name);
    return new Row(
        "reading " + what,
        "≤ %s, %s"
            .formatted(
                micros < 1_000 ? micros + " µs" : micros / 1_000 + " ms",
                bytes == 0 ? "0 B" : "≤ 1 MiB"),
        read.time() <= micros && (read.bytes() <= bytes || !read.allocates()),
        "%s µs, %s".formatted(Row.number(read.time()), read.bytesText()),
        "");
  }
}
