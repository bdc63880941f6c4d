package dev.paceline.pace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Permits for callers who are expected. */
final class AheadTest {

  private static final long[] ONE = {1};
  private static final long MS = 1_000_000;

  private final Ahead ahead = new Ahead(Pace.standard());

  @Test
  void a_worker_with_few_calls_expects_nobody() {
    calls(9, 0);
    assertThat(ahead.expected(ONE, 5 * MS)).isZero();
  }

  @Test
  void a_busy_worker_expects_what_came_in_the_quantum_before() {
    calls(50, 100 * MS);
    assertThat(ahead.expected(ONE, 110 * MS)).isEqualTo(50);
    assertThat(ahead.expected(ONE, 125 * MS)).isEqualTo(50);
  }

  @Test
  void a_worker_that_paused_expects_nobody() {
    calls(50, 100 * MS);
    assertThat(ahead.expected(ONE, 141 * MS)).isZero();
  }

  @Test
  void nobody_is_expected_for_a_call_of_another_cost() {
    calls(50, 100 * MS);
    assertThat(ahead.expected(new long[] {2}, 101 * MS)).isZero();
    assertThat(ahead.expected(new long[] {1, 0}, 101 * MS)).isZero();
  }

  @Test
  void permits_lapse_a_lead_before_the_quantum_ends() {
    ahead.add(2, 0, ONE, 0);
    assertThat(ahead.take(ONE, 17 * MS)).isTrue();
    assertThat(ahead.take(ONE, 17 * MS + 1)).isFalse();
    assertThat(ahead.count()).isZero();
  }

  @Test
  void permits_of_two_asks_lapse_with_the_earlier() {
    ahead.add(1, 0, ONE, 0);
    ahead.add(1, 10 * MS, ONE, 10 * MS);
    assertThat(ahead.isValid(17 * MS)).isTrue();
    assertThat(ahead.isValid(17 * MS + 1)).isFalse();
  }

  @Test
  void a_schedule_that_moved_holds_them_but_they_lapse_no_later() {
    ahead.add(2, 0, ONE, 0);
    ahead.moveBy(5 * MS);
    assertThat(ahead.take(ONE, 5 * MS - 1)).isFalse();
    assertThat(ahead.take(ONE, 5 * MS)).isTrue();
    assertThat(ahead.take(ONE, 18 * MS)).isFalse();
  }

  @Test
  void each_is_given_once_and_only_for_its_cost() {
    ahead.add(1, 0, ONE, 0);
    assertThat(ahead.take(new long[] {2}, MS)).isFalse();
    assertThat(ahead.take(ONE, MS)).isTrue();
    assertThat(ahead.take(ONE, MS)).isFalse();
  }

  @Test
  void whoever_wants_none_ahead_gets_none() {
    Ahead off = new Ahead(new Pace(20 * MS, 3 * MS, 100, false));
    for (int i = 0; i < 50; i++) {
      off.used(0);
    }
    assertThat(off.expected(ONE, MS)).isZero();
  }

  private void calls(int count, long at) {
    for (int i = 0; i < count; i++) {
      ahead.used(at);
    }
  }
}
