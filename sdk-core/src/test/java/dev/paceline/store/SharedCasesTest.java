package dev.paceline.store;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.limit.Limit;
import dev.paceline.testing.SimulatedFleet;
import dev.paceline.testing.SimulatedFleet.Measured;
import dev.paceline.testing.SimulatedRemote.Way;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that users of such libraries have met, on simulated fleets. */
final class SharedCasesTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final List<Long> sends = new ArrayList<>();

  private SimulatedFleet fleet(Limit limit, int workers, int callers) {
    SimulatedFleet fleet = new SimulatedFleet(limit, 5);
    fleet.onSent(sends::add);
    for (int i = 0; i < workers; i++) {
      fleet.add(callers);
    }
    return fleet;
  }

  private static void way(SimulatedFleet fleet, Way way) {
    fleet.workers.forEach(worker -> worker.remote.way(way));
  }

  private long sendsBetween(SimulatedFleet fleet, Duration from, Duration to) {
    long origin = fleet.time.nanoTime() - fleet.time.elapsed().toNanos();
    return sends.stream()
        .filter(at -> at - origin >= from.toNanos() && at - origin < to.toNanos())
        .count();
  }

  @Test // FA-01
  void a_hundred_workers_in_a_loop_are_served_evenly() {
    SimulatedFleet fleet = fleet(Limit.of(300).per(Duration.ofSeconds(60)), 100, 1);
    Measured seen = fleet.measure(Duration.ofMinutes(10));
    assertThat(seen.refused()).isZero();
    assertThat(seen.waitMillis(1)).isLessThan(24_000);
    assertThat(fleet.workers).allSatisfy(worker -> assertThat(worker.sent).isBetween(24L, 36L));
  }

  @Test // FA-02
  void after_a_cooldown_waiters_start_one_by_one_without_polling() {
    SimulatedFleet fleet = fleet(Limit.of(10).per(SECOND), 4, 5);
    fleet.time.advance(Duration.ofMillis(500));
    fleet.workers.get(0).store.cooldown(fleet.stage.group(), Duration.ofSeconds(2));
    fleet.time.advance(Duration.ofMillis(100));
    long commands = fleet.server.commands();
    sends.clear();
    fleet.time.advance(Duration.ofSeconds(4));
    assertThat(sends).hasSizeBetween(19, 22);
    for (int i = 1; i < sends.size(); i++) {
      assertThat(sends.get(i) - sends.get(i - 1)).isGreaterThanOrEqualTo(95_000_000L);
    }
    assertThat(fleet.server.commands() - commands).isLessThanOrEqualTo(2L * sends.size());
  }

  @Test // CK-01
  void workers_whose_clocks_differ_get_the_same() {
    SimulatedFleet fleet = fleet(Limit.of(10).per(SECOND), 2, 20);
    // The clock that decides is the server's; each worker only relates its own to it.
    fleet.time.stepWallClock(Duration.ofSeconds(5));
    Measured seen = fleet.measure(Duration.ofSeconds(60));
    assertThat(seen.sent()).isBetween(594L, 606L);
    assertThat(fleet.workers).allSatisfy(worker -> assertThat(worker.sent).isBetween(240L, 360L));
  }

  @Test // SH-01
  void a_cooldown_learned_by_one_stops_all_within_100_ms() {
    SimulatedFleet fleet = fleet(Limit.of(200).per(SECOND), 3, 8);
    fleet.time.advance(Duration.ofSeconds(2));
    fleet.workers.get(0).store.cooldown(fleet.stage.group(), Duration.ofSeconds(10));
    fleet.time.advance(Duration.ofSeconds(20));
    assertThat(sendsBetween(fleet, Duration.ofMillis(2_002), Duration.ofSeconds(12))).isZero();
    assertThat(sendsBetween(fleet, Duration.ofSeconds(12), Duration.ofSeconds(13)))
        .isBetween(195L, 201L);
  }

  @Test // SH-02
  void the_longer_of_two_cooldowns_holds_in_either_order() {
    for (long[] order : new long[][] {{5_400, 60}, {60, 5_400}}) {
      SimulatedFleet fleet = fleet(Limit.of(200).per(SECOND), 2, 1);
      fleet.time.advance(SECOND);
      long end = fleet.server.now() + 5_400_000_000L;
      fleet.workers.get(0).store.cooldown(fleet.stage.group(), Duration.ofSeconds(order[0]));
      fleet.workers.get(1).store.cooldown(fleet.stage.group(), Duration.ofSeconds(order[1]));
      fleet.time.advance(Duration.ofMillis(100));
      assertThat(fleet.server.cooldownUntil(fleet.stage.group().key())).isBetween(end, end + 1_000);
      assertThat(fleet.workers)
          .allSatisfy(
              worker ->
                  assertThat(worker.store.view(fleet.stage.group()).cooldown())
                      .isBetween(Duration.ofSeconds(5_399), Duration.ofSeconds(5_400)));
    }
  }

  @Test // SH-04
  void nothing_that_a_worker_remembers_hides_anothers_cooldown() {
    SimulatedFleet fleet = fleet(Limit.of(200).per(SECOND), 1, 8);
    SimulatedFleet.Worker learner = fleet.add(0);
    fleet.time.advance(SECOND);
    learner.store.cooldown(fleet.stage.group(), Duration.ofSeconds(30));
    assertThat(learner.store.view(fleet.stage.group()).cooldown())
        .isEqualTo(Duration.ofSeconds(30));
    fleet.time.advance(Duration.ofSeconds(40));
    assertThat(sendsBetween(fleet, Duration.ofMillis(1_100), Duration.ofSeconds(31))).isZero();
  }

  @Test
  void a_cooldown_holds_through_an_outage_in_whoever_knew_of_it() {
    SimulatedFleet fleet = fleet(Limit.of(200).per(SECOND), 3, 8);
    fleet.time.advance(Duration.ofSeconds(2));
    fleet.workers.get(0).store.cooldown(fleet.stage.group(), Duration.ofSeconds(10));
    fleet.time.advance(Duration.ofMillis(100));
    way(fleet, Way.REFUSING);
    fleet.time.advance(Duration.ofSeconds(5));
    fleet.server.loseState();
    way(fleet, Way.OPEN);
    SimulatedFleet.Worker late = fleet.add(8);
    fleet.time.advance(Duration.ofSeconds(8));
    assertThat(late.sent).isZero();
    assertThat(sendsBetween(fleet, Duration.ofMillis(2_100), Duration.ofSeconds(7))).isZero();
    assertThat(sendsBetween(fleet, Duration.ofMillis(7_500), Duration.ofMillis(11_999)))
        .isLessThanOrEqualTo(5);
    assertThat(sendsBetween(fleet, Duration.ofSeconds(13), Duration.ofSeconds(15)))
        .isBetween(380L, 402L);
  }

  @Test // RO-06, RO-07
  void shares_add_up_to_the_limit_and_each_worker_gets_its_own() {
    int burst = 4;
    SimulatedFleet fleet = fleet(Limit.of(20).per(SECOND).burst(burst), 4, 20);
    fleet.time.advance(Duration.ofSeconds(3));
    way(fleet, Way.SWALLOWING);
    Measured seen = fleet.measure(Duration.ofSeconds(10));
    assertThat(seen.sent()).isBetween(180L, 200L + 4 * burst);
    assertThat(fleet.workers).allSatisfy(worker -> assertThat(worker.sent).isBetween(45L, 54L));
    assertThat(fleet.workers)
        .allSatisfy(worker -> assertThat(worker.store.health().degraded()).isTrue());
  }

  @Test // RO-08
  void flapping_gives_no_bursts() {
    SimulatedFleet fleet = fleet(Limit.of(20).per(SECOND).burst(20), 4, 20);
    fleet.time.advance(Duration.ofSeconds(3));
    sends.clear();
    for (int i = 0; i < 15; i++) {
      way(fleet, Way.REFUSING);
      fleet.time.advance(Duration.ofSeconds(2));
      way(fleet, Way.OPEN);
      fleet.time.advance(Duration.ofSeconds(2));
    }
    assertThat(sends).hasSizeBetween(20 * 60 * 9 / 10, 20 * 60 + 2 * 20);
  }

  /** Some still take their shares of it when others already ask for it. */
  @ParameterizedTest
  @ValueSource(longs = {7_400, 7_500, 7_600, 7_696, 7_800, 7_900})
  void a_window_that_begins_while_workers_change_over_keeps_its_quota(long lostAfterMillis) {
    SimulatedFleet fleet = fleet(Limit.of(50).per(Duration.ofSeconds(5)).fixedWindow(), 4, 20);
    fleet.time.advance(Duration.ofMillis(lostAfterMillis));
    way(fleet, Way.REFUSING);
    fleet.time.advance(Duration.ofMillis(1_500));
    for (int i = 0; i < 4; i++) {
      SimulatedFleet.Worker worker = fleet.workers.get(i);
      fleet.time.schedule(() -> worker.remote.way(Way.OPEN), (20 + 75 * i) * 1_000_000L);
    }
    fleet.time.advance(Duration.ofSeconds(12));
    long window = sendsBetween(fleet, Duration.ofSeconds(10), Duration.ofSeconds(15));
    assertThat(window).isBetween(45L, 50L);
  }

  @Test // RO-08
  void windows_keep_their_quota_when_the_store_flaps() {
    Limit window = Limit.of(50).per(Duration.ofSeconds(5)).fixedWindow();
    SimulatedFleet fleet = fleet(window, 4, 20);
    fleet.time.advance(Duration.ofSeconds(5));
    sends.clear();
    for (int i = 0; i < 15; i++) {
      way(fleet, Way.REFUSING);
      fleet.time.advance(Duration.ofSeconds(2));
      way(fleet, Way.OPEN);
      fleet.time.advance(Duration.ofSeconds(2));
    }
    Map<Long, Long> byWindow =
        sends.stream().collect(groupingBy(at -> at / 5_000_000_000L, counting()));
    // The thirteenth window begins at the last instant.
    assertThat(byWindow.keySet()).contains(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L);
    assertThat(byWindow.values()).allSatisfy(sent -> assertThat(sent).isLessThanOrEqualTo(50L));
    assertThat(sends).hasSizeGreaterThan(50 * 11);
  }
}
