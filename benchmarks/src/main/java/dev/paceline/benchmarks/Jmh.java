package dev.paceline.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs benchmarks of JMH, with what they allocate. */
final class Jmh {

  private Jmh() {}

  /**
   * What came of one benchmark with one set of parameters.
   *
   * @param time in the benchmark's unit
   * @param bytes allocated by each operation
   */
  record Figures(double time, double bytes) {

    String text(String unit) {
      return Row.number(time) + " " + unit + (allocates() ? " and " + bytesText() : "");
    }

    /** What JMH itself allocates makes fractions of a byte an operation. */
    boolean allocates() {
      return bytes >= 1;
    }

    String bytesText() {
      return Math.round(allocates() ? bytes : 0) + " B";
    }
  }

  /**
   * Runs benchmarks of a class, in processes of their own.
   *
   * @param method what the methods' names begin with
   * @param threads that run each at once
   * @param brief whether only to see that it works: the figures then mean nothing
   * @return by the method's name, with {@code /value} for each parameter
   */
  static Map<String, Figures> run(Class<?> benchmarks, String method, int threads, boolean brief)
      throws RunnerException {
    OptionsBuilder options = new OptionsBuilder();
    options
        .include("^" + benchmarks.getName().replace(".", "\\.") + "\\." + method)
        .threads(threads)
        .addProfiler(GCProfiler.class)
        .verbosity(VerboseMode.SILENT)
        .shouldFailOnError(true);
    if (brief) {
      options
          .warmupIterations(1)
          .warmupTime(TimeValue.milliseconds(50))
          .measurementIterations(2)
          .measurementTime(TimeValue.milliseconds(50));
    }
    Map<String, Figures> all = new LinkedHashMap<>();
    for (RunResult run : new Runner(options.build()).run()) {
      Result<?> time = run.getPrimaryResult();
      Result<?> bytes = run.getSecondaryResults().get("gc.alloc.rate.norm");
      all.put(name(run), new Figures(time.getScore(), bytes == null ? 0 : bytes.getScore()));
    }
    return all;
  }

  private static String name(RunResult run) {
    StringBuilder name = new StringBuilder(run.getPrimaryResult().getLabel());
    for (String key : run.getParams().getParamsKeys()) {
      name.append('/').append(run.getParams().getParam(key));
    }
    return name.toString();
  }
}
