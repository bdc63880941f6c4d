package dev.paceline.store;

import java.util.concurrent.atomic.LongAdder;

/** Behind {@link StoreStats}. */
final class StoreCounters {

  final LongAdder commands = new LongAdder();
  final LongAdder failures = new LongAdder();
  final LongAdder localAnswers = new LongAdder();
  final LongAdder fallbackPermits = new LongAdder();
  final LongAdder statesLost = new LongAdder();
  final LongAdder statesRepaired = new LongAdder();
  final LongAdder outages = new LongAdder();

  StoreStats stats() {
    return new StoreStats(
        commands.sum(),
        failures.sum(),
        localAnswers.sum(),
        fallbackPermits.sum(),
        statesLost.sum(),
        statesRepaired.sum(),
        outages.sum());
  }
}
