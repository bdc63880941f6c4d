package dev.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.event.Event;
import dev.paceline.limit.Limit;
import dev.paceline.testing.SimulatedFleet;
import dev.paceline.testing.SimulatedFleet.Measured;
import dev.paceline.testing.SimulatedRemote.Way;
import dev.paceline.testing.StrictProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that forget, go back in time, or whose clocks step, under a fleet at full use. */
final class LostStateFleetTest {

  private static final int TURN = 4;
  private static final int BURST = 20;

  private final StrictProvider provider = new StrictProvider(200, BURST + 4 * TURN);
  private final SimulatedFleet fleet =
      new SimulatedFleet(Limit.of(200).per(Duration.ofSeconds(1)).burst(BURST), 11);
  private final List<Event> events = new ArrayList<>();

  private void start() {
    fleet.settings(settings -> settings.listener(events::add));
    fleet.onSent(provider::arrives);
    for (int i = 0; i < 4; i++) {
      fleet.add(8);
    }
    fleet.time.advance(Duration.ofSeconds(3));
  }

  private void isPacedAsBefore() {
    Measured seen = fleet.measure(Duration.ofSeconds(10));
    assertThat(seen.used(200)).isBetween(0.98, 1.01);
    assertThat(seen.refused()).isZero();
    assertThat(provider.refused()).isZero();
    assertThat(fleet.workers)
        .allSatisfy(worker -> assertThat(worker.timed.undecided()).isLessThanOrEqualTo(1));
  }

  private long lost() {
    return events.stream().filter(Event.StateLost.class::isInstance).count();
  }

  @ParameterizedTest // RS-05
  @ValueSource(longs = {97, 301, 512, 733, 1_001})
  void a_flushed_schedule_comes_back_from_the_first_worker_that_asks(long afterMillis) {
    start();
    fleet.time.advance(Duration.ofMillis(afterMillis));
    fleet.server.loseSchedules();
    isPacedAsBefore();
    assertThat(lost()).isPositive();
    assertThat(fleet.workers.stream().mapToLong(w -> w.store.stats().statesLost()).sum())
        .isEqualTo(lost());
  }

  @ParameterizedTest
  @ValueSource(longs = {250, 5_000})
  void a_stale_replica_brings_no_second_burst(long staleMillis) {
    start();
    Runnable failOver = fleet.server.replica();
    fleet.time.advance(Duration.ofMillis(staleMillis));
    failOver.run();
    isPacedAsBefore();
    assertThat(lost()).isPositive();
  }

  @ParameterizedTest // RS-05
  @ValueSource(longs = {0, 119, 255, 408, 612, 867})
  void a_store_that_restarts_empty_brings_no_second_burst(long afterMillis) {
    start();
    fleet.time.advance(Duration.ofMillis(afterMillis));
    way(Way.REFUSING);
    fleet.time.advance(Duration.ofSeconds(2));
    fleet.server.loseState();
    SplittableRandom random = new SplittableRandom(afterMillis);
    for (SimulatedFleet.Worker worker : fleet.workers) {
      fleet.time.schedule(() -> worker.remote.way(Way.OPEN), random.nextLong(500_000_000L));
    }
    isPacedAsBefore();
    assertThat(lost()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void a_fail_over_that_only_some_workers_notice_brings_no_second_burst(long seed) {
    start();
    SplittableRandom random = new SplittableRandom(seed);
    Runnable failOver = fleet.server.replica();
    fleet.time.advance(Duration.ofMillis(300));
    failOver.run();
    way(Way.REFUSING);
    for (SimulatedFleet.Worker worker : fleet.workers) {
      fleet.time.schedule(() -> worker.remote.way(Way.OPEN), random.nextLong(200_000_000L));
    }
    isPacedAsBefore();
    assertThat(lost()).isPositive();
  }

  private void way(Way way) {
    fleet.workers.forEach(worker -> worker.remote.way(way));
  }

  @ParameterizedTest
  @ValueSource(longs = {3_600, -3_600, 2, -2})
  void a_clock_that_steps_neither_stops_nor_floods(long seconds) {
    start();
    fleet.server.stepClock(Duration.ofSeconds(seconds));
    isPacedAsBefore();
  }

  @Test
  void a_generation_keeps_an_old_floor_from_bringing_back_what_was_lowered() {
    start();
    fleet.workers.get(0).store.cooldown(fleet.stage.group(), Duration.ofHours(1));
    fleet.time.advance(Duration.ofMillis(100));
    fleet.workers.get(1).store.clearCooldown(fleet.stage.group());
    fleet.time.advance(Duration.ofSeconds(1));
    assertThat(fleet.workers)
        .allSatisfy(
            worker -> {
              GroupView view = worker.store.view(fleet.stage.group());
              assertThat(view.cooldown()).isZero();
            });
  }
}
