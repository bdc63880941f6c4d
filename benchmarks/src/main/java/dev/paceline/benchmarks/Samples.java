package dev.paceline.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was measured of several contenders in interleaved rounds. */
final class Samples {

  private final Map<String, List<Double>> byName = new LinkedHashMap<>();

  void add(String name, double value) {
    byName.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
  }

  double median(String name) {
    List<Double> sorted = new ArrayList<>(byName.getOrDefault(name, List.of()));
    if (sorted.isEmpty()) {
      throw new IllegalArgumentException("nothing was measured of " + name);
    }
    Collections.sort(sorted);
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  /** Median of the ratios of each round: what both saw of the machine's load cancels out. */
  double ratio(String name, String to) {
    List<Double> own = byName.getOrDefault(name, List.of());
    List<Double> other = byName.getOrDefault(to, List.of());
    Samples ratios = new Samples();
    for (int i = 0; i < Math.min(own.size(), other.size()); i++) {
      ratios.add("ratio", own.get(i) / other.get(i));
    }
    return ratios.median("ratio");
  }

  /** The medians of all others. */
  String beside(String own, String unit) {
    List<String> parts = new ArrayList<>();
    for (String name : byName.keySet()) {
      if (!name.equals(own)) {
        parts.add(name + " " + Row.number(median(name)) + unit);
      }
    }
    return String.join("; ", parts);
  }
}
