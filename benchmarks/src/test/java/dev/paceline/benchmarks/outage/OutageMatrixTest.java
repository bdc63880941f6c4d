package dev.paceline.benchmarks.outage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.benchmarks.outage.OutageMatrix.Outcome;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** One fault of each kind, at once, since they mostly wait; what takes time is not judged here. */
class OutageMatrixTest {

  private static final List<Fault> KINDS =
      List.of(
          Fault.KILLED_AND_RESTARTED_EMPTY,
          Fault.PROCESS_STOPPED,
          Fault.ONE_REPLY_IN_TEN_LOST,
          Fault.RUBBISH,
          Fault.OUT_OF_MEMORY);

  @Test // RO-01, RO-04, RO-06, RS-13
  void no_fault_hangs_a_call_shows_an_error_or_lets_more_through_than_a_turn_a_worker()
      throws Exception {
    Map<Fault, Future<Outcome>> outcomes = new EnumMap<>(Fault.class);
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      for (Fault fault : KINDS) {
        Duration lasting = Duration.ofMillis(1_500);
        outcomes.put(fault, threads.submit(() -> OutageMatrix.run(fault, lasting)));
      }
      for (Fault fault : KINDS) {
        Outcome outcome = outcomes.get(fault).get();
        assertThat(outcome.holdsInCounts()).as("%s: %s", fault, outcome).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
