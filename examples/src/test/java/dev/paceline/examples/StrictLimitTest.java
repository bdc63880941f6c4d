package dev.paceline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrictLimitTest {
  private static final long MILLI = 1_000_000L;

  @ParameterizedTest
  @ValueSource(longs = {0, -1_000 * MILLI, Long.MIN_VALUE, Long.MAX_VALUE - 10 * MILLI})
  void a_burst_is_accepted_once_and_comes_back_at_the_rate(long origin) {
    StrictLimit limit = new StrictLimit(200, 3);

    assertThat(limit.accepts(origin)).isTrue();
    assertThat(limit.accepts(origin)).isTrue();
    assertThat(limit.accepts(origin)).isTrue();
    assertThat(limit.accepts(origin)).isFalse();
    assertThat(limit.accepts(origin + 5 * MILLI - 1)).isFalse();
    assertThat(limit.accepts(origin + 5 * MILLI)).isTrue();
    assertThat(limit.accepts(origin + 5 * MILLI)).isFalse();
    assertThat(limit.accepts(origin + 20 * MILLI)).isTrue();
    assertThat(limit.accepts(origin + 20 * MILLI)).isTrue();
    assertThat(limit.accepts(origin + 20 * MILLI)).isTrue();
    assertThat(limit.accepts(origin + 20 * MILLI)).isFalse();
  }

  @Test
  void refusals_cost_nothing() {
    StrictLimit limit = new StrictLimit(100, 1);

    assertThat(limit.accepts(0)).isTrue();
    for (int i = 0; i < 1_000; i++) {
      assertThat(limit.accepts(9 * MILLI)).isFalse();
    }
    assertThat(limit.accepts(10 * MILLI)).isTrue();
  }
}
