package dev.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.limit.Limit;
import dev.paceline.testing.SimulatedFleet;
import dev.paceline.testing.SimulatedFleet.Measured;
import dev.paceline.testing.StrictProvider;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Four workers of 8 callers under load, of which one is told to wait. */
final class CooldownFleetTest {

  private final StrictProvider provider = new StrictProvider(200, 5);
  private final SimulatedFleet fleet =
      new SimulatedFleet(Limit.of(200).per(Duration.ofSeconds(1)), 1);

  @BeforeEach
  void load() {
    fleet.onSent(provider::arrives);
    for (int i = 0; i < 4; i++) {
      fleet.add(8);
    }
    fleet.time.advance(Duration.ofSeconds(2));
  }

  private void told(int worker, Duration wait) {
    fleet.workers.get(worker).store.cooldown(fleet.stage.group(), wait);
  }

  private long sentIn(Duration lasting) {
    return fleet.measure(lasting).sent();
  }

  @Test // SH-01
  void after_100_ms_nobody_calls_until_the_end_and_then_all_at_the_pace() {
    told(1, Duration.ofSeconds(10));
    fleet.time.advance(Duration.ofMillis(100));
    assertThat(sentIn(Duration.ofMillis(9_899))).isZero();

    for (int second = 0; second < 5; second++) {
      Measured seen = fleet.measure(Duration.ofSeconds(1));
      assertThat(seen.sent()).as("second %d", second).isBetween(196L, 201L);
    }
    assertThat(provider.refused()).isZero();
  }

  @Test // SH-02
  void the_longer_of_two_waits_stays_in_either_order() {
    told(0, Duration.ofMinutes(90));
    told(1, Duration.ofSeconds(60));
    fleet.time.advance(Duration.ofMillis(100));
    assertThat(sentIn(Duration.ofMillis(5_399_800))).isZero();
    assertThat(sentIn(Duration.ofSeconds(2))).isGreaterThan(300);

    told(2, Duration.ofSeconds(60));
    told(3, Duration.ofMinutes(90));
    fleet.time.advance(Duration.ofMillis(100));
    assertThat(sentIn(Duration.ofMillis(5_399_800))).isZero();
    assertThat(sentIn(Duration.ofSeconds(2))).isGreaterThan(300);
  }

  @Test // SH-04
  void a_worker_that_was_clear_knows_at_once_of_its_own_refusal_and_soon_of_anothers() {
    told(0, Duration.ofSeconds(30));
    fleet.workers.get(0).sent = 0;
    fleet.measure(Duration.ofMillis(10));
    assertThat(fleet.workers.get(0).sent).isZero();
    fleet.time.advance(Duration.ofMillis(90));
    assertThat(sentIn(Duration.ofSeconds(29))).isZero();
  }

  @Test // SH-01, SH-04
  void whoever_misses_the_message_learns_of_it_by_its_next_ask() {
    fleet.workers.get(3).remote.hearsNothing();
    told(1, Duration.ofSeconds(10));
    fleet.time.advance(Duration.ofMillis(200));
    assertThat(sentIn(Duration.ofMillis(9_799))).isZero();
  }

  @Test
  void a_cooldown_that_is_cleared_lets_all_go_on_at_the_pace_at_once() {
    told(1, Duration.ofMinutes(90));
    fleet.time.advance(Duration.ofSeconds(3));
    fleet.workers.get(2).store.clearCooldown(fleet.stage.group());
    fleet.time.advance(Duration.ofMillis(10));

    for (int second = 0; second < 5; second++) {
      Measured seen = fleet.measure(Duration.ofSeconds(1));
      assertThat(seen.sent()).as("second %d", second).isBetween(190L, 202L);
    }
    assertThat(provider.refused()).isLessThanOrEqualTo(2);
  }
}
