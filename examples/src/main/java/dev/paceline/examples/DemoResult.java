package dev.paceline.examples;

import java.time.Duration;

/**
 * What came of a run.
 *
 * @param name of the client
 * @param lasted how long the run was
 * @param began on the provider's clock
 * @param arrivals as the provider saw them
 * @param answered calls that were accepted in the end
 * @param failed calls that were refused to the end
 * @param errors calls that ended with an exception
 */
record DemoResult(
    String name,
    Duration lasted,
    long began,
    Arrivals arrivals,
    int answered,
    int failed,
    int errors,
    Waits.Sorted waits) {

  double goodput() {
    return answered / (lasted.toNanos() / 1e9);
  }

  int attempts() {
    return arrivals.acceptedCount() + arrivals.refusedCount();
  }

  double attemptsPerCall() {
    int calls = answered + failed;
    return calls == 0 ? 0 : (double) attempts() / calls;
  }
}
