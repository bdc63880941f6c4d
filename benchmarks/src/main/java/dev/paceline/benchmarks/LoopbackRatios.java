package dev.paceline.benchmarks;

import dev.paceline.benchmarks.InterceptorBenchmark.Layer;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What an interceptor adds to a call to a server on this machine, as ratios of short rounds by
 * turns in one process: beside a way whose time varies so much, runs after one another say little.
 *
 * <p>{@code java -cp benchmarks.jar dev.paceline.benchmarks.LoopbackRatios [rounds]}
 */
final class LoopbackRatios {

  private static final int CALLS = 300;

  private LoopbackRatios() {}

  /** Prints the table. */
  public static void main(String[] args) throws IOException {
    Row.print(List.of(run(args.length > 0 ? Integer.parseInt(args[0]) : 300)));
    System.exit(0);
  }

  private static Row run(int rounds) throws IOException {
    Map<Layer, InterceptorBenchmark> layers = new EnumMap<>(Layer.class);
    for (Layer layer : Layer.values()) {
      InterceptorBenchmark benchmark = new InterceptorBenchmark();
      benchmark.layer = layer;
      benchmark.start();
      layers.put(layer, benchmark);
    }
    Samples micros = new Samples();
    for (int round = -rounds / 3; round < rounds; round++) {
      for (Map.Entry<Layer, InterceptorBenchmark> each : layers.entrySet()) {
        double took = micros(each.getValue());
        if (round >= 0) {
          micros.add(each.getKey().text(), took);
        }
      }
    }
    layers.values().forEach(InterceptorBenchmark::stop);
    double ratio = micros.ratio(Layer.PACELINE.text(), Layer.EMPTY.text());
    return new Row(
        "same, a loopback call",
        "≤ 1.03 × one with an empty interceptor",
        ratio <= 1.03,
        "%s µs, %s ×"
            .formatted(Row.number(micros.median(Layer.PACELINE.text())), Row.number(ratio)),
        micros.beside(Layer.PACELINE.text(), " µs"));
  }

  private static double micros(InterceptorBenchmark benchmark) throws IOException {
    long start = System.nanoTime();
    for (int i = 0; i < CALLS; i++) {
      benchmark.loopback();
    }
    return (System.nanoTime() - start) / 1e3 / CALLS;
  }
}
