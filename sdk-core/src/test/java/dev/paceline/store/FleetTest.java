package dev.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.limit.Limit;
import dev.paceline.testing.SimulatedFleet;
import dev.paceline.testing.SimulatedFleet.Measured;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Whole fleets in virtual time: real pacers, real shared stores, round trips of 0.7 ms. */
final class FleetTest {

  private static Limit perSecond(long permits) {
    return Limit.of(permits).per(Duration.ofSeconds(1));
  }

  private static SimulatedFleet fleet(int workers, long perSecond, int callers) {
    SimulatedFleet fleet = new SimulatedFleet(perSecond(perSecond), 1);
    for (int i = 0; i < workers; i++) {
      fleet.add(callers);
    }
    return fleet;
  }

  private static Measured run(SimulatedFleet fleet, long settleSeconds, long seconds) {
    fleet.time.advance(Duration.ofSeconds(settleSeconds));
    return fleet.measure(Duration.ofSeconds(seconds));
  }

  @Test
  void four_workers_of_8_callers_share_200_a_second() {
    Measured seen = run(fleet(4, 200, 8), 2, 20);
    assertThat(seen.used(200)).isBetween(0.999, 1.0001);
    assertThat(seen.commandsPerPermit()).isBetween(0.24, 0.26);
    assertThat(seen.jain()).isGreaterThan(0.999);
    assertThat(seen.waitMillis(0.5)).isBetween(150.0, 166.0);
    assertThat(seen.waitMillis(1)).isLessThan(180);
  }

  @Test
  void twenty_workers_of_200_callers_share_1000_a_second() {
    Measured seen = run(fleet(20, 1_000, 200), 10, 20);
    assertThat(seen.used(1_000)).isBetween(0.999, 1.0001);
    assertThat(seen.commandsPerPermit()).isBetween(0.045, 0.055);
    assertThat(seen.jain()).isGreaterThan(0.999);
    assertThat(seen.waitMillis(0.5)).isBetween(3_900.0, 4_100.0);
    assertThat(seen.waitMillis(1)).isLessThan(4_200);
  }

  @Test
  void a_thousand_workers_of_8_callers_share_1000_a_second() {
    Measured seen = run(fleet(1_000, 1_000, 8), 10, 10);
    assertThat(seen.used(1_000)).isBetween(0.999, 1.0001);
    assertThat(seen.commandsPerPermit()).isBetween(0.99, 1.05);
    assertThat(seen.jain()).isGreaterThan(0.999);
    assertThat(seen.waitMillis(0.5)).isBetween(7_900.0, 8_050.0);
    assertThat(seen.waitMillis(1)).isLessThan(8_100);
  }

  @Test
  void twenty_workers_of_2000_callers_share_20000_a_second() {
    Measured seen = run(fleet(20, 20_000, 2_000), 4, 6);
    assertThat(seen.used(20_000)).isBetween(0.999, 1.0001);
    assertThat(seen.commandsPerPermit()).isBetween(0.002, 0.0035);
    assertThat(seen.jain()).isGreaterThan(0.998);
    assertThat(seen.waitMillis(0.5)).isBetween(1_950.0, 2_050.0);
    assertThat(seen.waitMillis(1)).isLessThan(2_150);
  }

  @Test
  void twenty_workers_of_8_callers_share_one_a_second() {
    Measured seen = run(fleet(20, 1, 8), 400, 400);
    assertThat(seen.used(1)).isBetween(0.999, 1.0001);
    assertThat(seen.commandsPerPermit()).isBetween(0.99, 1.06);
    assertThat(seen.jain()).isGreaterThan(0.999);
    assertThat(seen.waitMillis(0.5)).isBetween(158_000.0, 161_000.0);
    assertThat(seen.waitMillis(1)).isLessThan(162_000);
  }

  @Test
  void one_worker_that_wants_five_times_the_limit_leaves_the_others_all_they_ask() {
    SimulatedFleet fleet = fleet(1, 1_000, 5_000);
    for (int i = 0; i < 19; i++) {
      fleet.addSteady(Duration.ofMillis(50));
    }
    Measured seen = run(fleet, 4, 20);
    assertThat(seen.used(1_000)).isBetween(0.999, 1.0001);
    assertThat(seen.commandsPerPermit()).isBetween(0.3, 0.45);
    assertThat(fleet.workers.subList(1, 20))
        .allSatisfy(worker -> assertThat(worker.sent).isBetween(397L, 403L));
  }
}
