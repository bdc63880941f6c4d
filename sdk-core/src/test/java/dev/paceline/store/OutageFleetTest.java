package dev.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.limit.Limit;
import dev.paceline.testing.SimulatedFleet;
import dev.paceline.testing.SimulatedFleet.Measured;
import dev.paceline.testing.SimulatedRemote.Way;
import dev.paceline.testing.StrictProvider;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a provider of 200/s with a burst of 5 sees of a fleet whose store fails and comes back, and
 * what the callers do.
 */
final class OutageFleetTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final StrictProvider provider = new StrictProvider(200, 5);
  private final SimulatedFleet fleet = new SimulatedFleet(Limit.of(200).per(SECOND), 7);
  private final StringBuilder score = new StringBuilder();
  private long callersRefused;

  private void start() {
    fleet.onSent(provider::arrives);
    for (int i = 0; i < 4; i++) {
      fleet.add(8);
    }
    fleet.time.advance(Duration.ofSeconds(3));
  }

  private void way(Way way) {
    fleet.workers.forEach(worker -> worker.remote.way(way));
  }

  /** Lets seconds pass after a change; in all but the first the provider accepts so many. */
  private void pass(int seconds, long least) {
    for (int i = 0; i < seconds; i++) {
      long before = provider.accepted();
      Measured seen = fleet.measure(SECOND);
      callersRefused += seen.refused();
      score.append(provider.accepted() - before).append(' ');
      if (i > 0) {
        assertThat(provider.accepted() - before).as(score.toString()).isGreaterThanOrEqualTo(least);
      }
    }
    score.append("| ");
  }

  private void nobodyWasHarmed() {
    assertThat(provider.refused()).isLessThanOrEqualTo(provider.accepted() / 100);
    assertThat(callersRefused).isZero();
    assertThat(fleet.workers)
        .allSatisfy(
            worker -> {
              assertThat(worker.timed.slowest()).isLessThan(Duration.ofMillis(100));
              assertThat(worker.timed.undecided()).isLessThanOrEqualTo(1);
              assertThat(worker.timed.decidedTwice()).isZero();
            });
  }

  @ParameterizedTest // RO-01, RO-02, RO-04, RO-07
  @EnumSource(names = "OPEN", mode = EnumSource.Mode.EXCLUDE)
  void ten_seconds_without_answers_cost_neither_calls_nor_refusals(Way kind) {
    start();
    way(kind);
    pass(10, 190);
    way(Way.OPEN);
    pass(6, 180);
    nobodyWasHarmed();
    assertThat(fleet.workers)
        .allSatisfy(
            worker -> {
              assertThat(worker.store.stats().outages()).isEqualTo(1);
              assertThat(worker.store.health().degraded()).isFalse();
            });
  }

  @Test // RS-05
  void a_server_that_restarts_empty_brings_no_burst() {
    start();
    way(Way.REFUSING);
    pass(10, 190);
    fleet.server.loseState();
    way(Way.OPEN);
    pass(6, 180);
    nobodyWasHarmed();
  }

  @ParameterizedTest
  @ValueSource(longs = {150, 450, 700, 950})
  void an_outage_just_after_a_flush_is_shared_among_all(long afterMillis) {
    start();
    fleet.server.loseState();
    fleet.time.advance(Duration.ofMillis(afterMillis));
    way(Way.REFUSING);
    pass(5, 190);
    way(Way.OPEN);
    pass(6, 180);
    nobodyWasHarmed();
  }

  @Test
  void once_an_outage_is_known_a_decision_takes_no_time() {
    start();
    way(Way.SWALLOWING);
    pass(1, 0);
    fleet.workers.forEach(worker -> worker.timed.slowest());
    pass(5, 190);
    assertThat(fleet.workers)
        .allSatisfy(worker -> assertThat(worker.timed.slowest()).isEqualTo(Duration.ZERO));
  }

  @Test
  void replies_that_take_100_ms_are_no_replies() {
    start();
    fleet.workers.forEach(w -> w.remote.takes(() -> 350_000, () -> 100_350_000));
    pass(10, 180);
    fleet.workers.forEach(w -> w.remote.takes(() -> 350_000, () -> 350_000));
    pass(6, 180);
    nobodyWasHarmed();
  }

  @Test
  void one_lost_reply_in_ten_costs_a_tenth_of_the_limit_at_most() {
    start();
    SplittableRandom random = new SplittableRandom(3);
    fleet.workers.forEach(w -> w.remote.loses(() -> random.nextInt(10) == 0));
    long before = provider.accepted();
    pass(30, 150);
    assertThat(provider.accepted() - before).isGreaterThan(30 * 180);
    nobodyWasHarmed();
  }

  @Test
  void flapping_every_two_seconds_brings_no_burst() {
    start();
    for (int i = 0; i < 15; i++) {
      way(Way.REFUSING);
      pass(2, 190);
      way(Way.OPEN);
      pass(2, 180);
    }
    nobodyWasHarmed();
    assertThat(provider.refused()).isLessThanOrEqualTo(provider.accepted() / 1_000);
  }

  /** Each connects again at a time of its own: who is first must leave room for the others. */
  @Test
  void workers_that_come_back_one_by_one_to_an_empty_store_change_over_without_refusals() {
    start();
    SplittableRandom random = new SplittableRandom(4);
    for (int i = 0; i < 8; i++) {
      way(Way.REFUSING);
      pass(2, 190);
      fleet.server.loseState();
      fleet.workers.forEach(
          worker ->
              fleet.time.schedule(
                  () -> worker.remote.way(Way.OPEN), random.nextLong(500_000_000L)));
      pass(2, 180);
    }
    nobodyWasHarmed();
    assertThat(provider.refused()).isLessThanOrEqualTo(provider.accepted() / 1_000);
  }
}
