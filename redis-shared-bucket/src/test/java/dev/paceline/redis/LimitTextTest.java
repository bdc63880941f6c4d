package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.limit.Limit;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimitTextTest {

  @Test
  void limits_are_read_as_they_were_printed() {
    List<Limit> limits =
        List.of(
            Limit.of(100).per(Duration.ofSeconds(1)).burst(3),
            Limit.of(90_000).per(Duration.ofMinutes(1)).tokenBucket().unit("tokens of an owner"),
            Limit.of(9).per(Duration.ofDays(1)).fixedWindow(ZoneId.of("America/Los_Angeles")),
            Limit.of(7).per(Duration.ofHours(1)).slidingWindowCounter());

    assertThat(LimitText.parse(LimitText.print(limits))).contains(limits);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "|", "nonsense", "100/1s|", "100/1s tokens x|1", "0/1s", "1/1s %4"})
  void what_is_no_list_of_limits_is_none(String text) {
    assertThat(LimitText.parse(text)).isEmpty();
  }

  @Test
  void a_state_gives_away_its_paces_and_periods() {
    assertThat(
            LimitText.ofState(
                "1 1700000000000000 5000 0 5000 333333+1/3|f0 3 0 60000000|s0 1 2 0 1000000"
                    + "|l10000000 -5:1,3:2;c5000;u12"))
        .contains(
            List.of(
                Limit.of(3).per(Duration.ofSeconds(1)),
                Limit.of(1).per(Duration.ofMinutes(1)).fixedWindow(),
                Limit.of(1).per(Duration.ofSeconds(1)).slidingWindowCounter(),
                Limit.of(1).per(Duration.ofSeconds(10)).slidingWindowLog()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1 2",
        "1 2 n",
        "1 2 junk",
        "1 2 z0 1 0 86400000000",
        "1 2 5 0 5 0",
        "x",
        "1 2 5 0 5 9|"
      })
  void a_state_that_tells_too_little_tells_nothing(String state) {
    assertThat(LimitText.ofState(state)).isEqualTo(Optional.empty());
  }
}
