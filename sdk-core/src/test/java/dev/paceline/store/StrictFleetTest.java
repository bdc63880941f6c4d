package dev.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.limit.Limit;
import dev.paceline.testing.SimulatedFleet;
import dev.paceline.testing.SimulatedFleet.Measured;
import dev.paceline.testing.StrictProvider;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Fleets at a provider of 200/s with a burst of 5 that refuses whatever comes too early. */
final class StrictFleetTest {

  private static final Duration RUN = Duration.ofSeconds(20);

  private final StrictProvider provider = new StrictProvider(200, 5);

  private SimulatedFleet fleet(long seed) {
    Limit limit = Limit.of(200).per(Duration.ofSeconds(1));
    SimulatedFleet fleet = new SimulatedFleet(limit, seed);
    fleet.onSent(provider::arrives);
    return fleet;
  }

  @Test
  void four_workers_of_8_callers_are_never_refused_and_use_it_all() {
    SimulatedFleet fleet = fleet(1);
    for (int i = 0; i < 4; i++) {
      fleet.add(8);
    }
    Measured seen = fleet.measure(RUN);
    assertThat(provider.refused()).isZero();
    assertThat(seen.used(200)).isGreaterThan(0.99);
    assertThat(fleet.workers)
        .allSatisfy(worker -> assertThat((double) worker.sent).isBetween(950.0, 1_060.0));
    assertThat(seen.commandsPerPermit()).isLessThan(0.6);
  }

  @Test
  void one_worker_asking_for_five_times_the_limit_leaves_three_what_they_ask() {
    SimulatedFleet fleet = fleet(2);
    fleet.addSteady(Duration.ofMillis(1));
    for (int i = 0; i < 3; i++) {
      fleet.addSteady(Duration.ofMillis(50));
    }
    Measured seen = fleet.measure(RUN);
    assertThat(provider.refused()).isZero();
    assertThat(seen.used(200)).isGreaterThan(0.99);
    assertThat(fleet.workers.subList(1, 4))
        .allSatisfy(worker -> assertThat(worker.sent).isGreaterThanOrEqualTo(397L));
  }

  @RepeatedTest(20)
  void one_caller_in_a_thousand_stalled_for_50_ms_costs_no_refusal(RepetitionInfo run) {
    SimulatedFleet fleet = fleet(run.getCurrentRepetition());
    SplittableRandom random = new SplittableRandom(run.getCurrentRepetition());
    fleet.stalls(now -> random.nextInt(1_000) == 0 ? 50_000_000 : 0);
    for (int i = 0; i < 4; i++) {
      fleet.add(8);
    }
    Measured seen = fleet.measure(RUN);
    assertThat(provider.refused()).isZero();
    assertThat(seen.used(200)).isGreaterThan(0.99);
  }
}
