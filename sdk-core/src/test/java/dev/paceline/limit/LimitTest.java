package dev.paceline.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final ZoneId LOS_ANGELES = ZoneId.of("America/Los_Angeles");

  @Test
  void limit_is_gcra_of_burst_one_in_requests_unless_said_otherwise() {
    Limit limit = Limit.of(100).per(SECOND);

    assertThat(limit.algorithm()).isEqualTo(Algorithm.GCRA);
    assertThat(limit.burst()).isEqualTo(1);
    assertThat(limit.unit()).isEqualTo("requests");
    assertThat(limit.zone()).isEmpty();
    assertThat(limit.maxQueued()).isEmpty();
    assertThat(limit.name()).isEqualTo("100/1s");
  }

  @Test
  void leaking_bucket_is_gcra_of_burst_one_with_a_bounded_queue() {
    Limit limit = Limit.of(5).per(SECOND).leakingBucket(20);

    assertThat(limit.algorithm()).isEqualTo(Algorithm.GCRA);
    assertThat(limit.capacity()).isEqualTo(1);
    assertThat(limit.maxQueued()).hasValue(20);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.of(5).per(SECOND).leakingBucket(-1))
        .withMessage("maxQueued=-1: must be at least 0");
  }

  @Test
  void capacity_is_the_burst_of_a_bucket_and_the_permits_of_a_window() {
    Limit limit = Limit.of(10).per(SECOND);

    assertThat(limit.burst(3).capacity()).isEqualTo(3);
    assertThat(limit.tokenBucket().capacity()).isEqualTo(10);
    assertThat(limit.tokenBucket(25).capacity()).isEqualTo(25);
    assertThat(limit.burst(3).slidingWindowLog().capacity()).isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "100/1s",
        "5000/1h;algorithm=fixed-window",
        "10/1s;burst=20;algorithm=token-bucket",
        "10/1s;algorithm=token-bucket",
        "1000/1d;algorithm=fixed-window;zone=America/Los_Angeles",
        "6/1m;burst=6",
        "9/250ms;algorithm=sliding-window-log",
        "9/1500us;algorithm=sliding-window-counter",
        "1/90s"
      })
  void written_limit_is_read_and_written_alike(String spec) {
    assertThat(Limit.parse(spec)).hasToString(spec);
    assertThat(Limit.parse(Limit.parse(spec).toString())).isEqualTo(Limit.parse(spec));
  }

  @Test
  void written_limit_means_what_the_builder_says() {
    assertThat(Limit.parse("10/1s;burst=20;algorithm=token-bucket"))
        .isEqualTo(Limit.of(10).per(SECOND).tokenBucket(20));
    assertThat(Limit.parse("10/1s;algorithm=token-bucket"))
        .isEqualTo(Limit.of(10).per(SECOND).tokenBucket());
    assertThat(Limit.parse("1000/1d;zone=America/Los_Angeles;algorithm=fixed-window"))
        .isEqualTo(Limit.of(1000).per(DAY).fixedWindow(LOS_ANGELES));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "100 | must be written PERMITS/PERIOD",
        "100/1s/2 | must be written PERMITS/PERIOD",
        "x/1s | permits=x is not a whole number",
        "2.5/1s | permits=2.5 is not a whole number",
        "0/1s | permits=0: must be from 1",
        "-1/1s | permits=-1: must be from 1",
        "99999999999999999999/1s | is not a whole number",
        "1/s | period=s is not a number and one of",
        "1/1w | period=1w is not a number and one of",
        "1/0s | period=PT0S: must be a whole number of microseconds",
        "1/-1s | period=-1s is not a number and one of",
        "1/9999999999999999d | is too long",
        "1/1s;burst=0 | burst=0: must be from 1",
        "1/1s;burst=x | burst=x is not a whole number",
        "1/1s;burst=2;burst=3 | burst is there twice",
        "1/1s;burst=2;algorithm=fixed-window | a fixed-window limit has no burst",
        "1/1s;algorithm=leaky | algorithm=leaky is none of",
        "1/1s;colour=red | colour=red' is none of",
        "1/1s; | is none of burst=N",
        "1/1d;zone=Mars/Base | zone=Mars/Base is no time zone",
        "1/1d;algorithm=fixed-window;zone=Mars/Base | zone=Mars/Base is no time zone",
        "1/1d;zone=UTC | a zone goes with algorithm=fixed-window only",
        "1/1h;algorithm=fixed-window;zone=UTC | a zone goes with whole days only",
        "1/36h;algorithm=fixed-window;zone=UTC | a zone goes with whole days only",
      })
  void wrong_spec_is_refused_in_one_line_that_says_why(String spec, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.parse(spec))
        .withMessageContaining(why)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
  }

  /** GM-04. */
  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE, (1L << 53) + 1, Long.MAX_VALUE})
  void permits_and_burst_out_of_range_are_refused(long value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.of(value))
        .withMessageStartingWith("permits=" + value);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.of(1).per(SECOND).burst(value))
        .withMessageStartingWith("burst=" + value);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.of(1).per(SECOND).tokenBucket(value))
        .withMessageStartingWith("burst=" + value);
  }

  /** GM-04. */
  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT0.000000999S", "PT0.0000015S", "PT9999999999999S"})
  void period_that_is_no_whole_number_of_microseconds_is_refused(Duration period) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.of(1).per(period))
        .withMessageStartingWith("period=" + period);
  }

  @Test
  void what_would_exceed_exact_arithmetic_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.of(1_000_003).per(DAY).tokenBucket())
        .withMessageContaining("burst=1000003 with permits=1000003");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.of(1_000_000).per(DAY).slidingWindowCounter())
        .withMessageContaining("permits=1000000 with period=PT24H");
    assertThat(Limit.of(10_000_000).per(DAY).tokenBucket().capacity()).isEqualTo(10_000_000);
  }

  @Test
  void emission_interval_is_an_exact_fraction() {
    assertThat(Limit.of(7_000).per(SECOND).emissionInterval())
        .isEqualTo(new EmissionInterval(142, 6, 7));
    assertThat(Limit.of(100).per(SECOND).emissionInterval())
        .isEqualTo(new EmissionInterval(10_000, 0, 1));
    assertThat(Limit.of(5_000_000).per(SECOND).emissionInterval())
        .isEqualTo(new EmissionInterval(0, 1, 5));
  }

  @Test
  void name_and_unit_take_part_in_equality_and_must_not_be_blank() {
    Limit limit = Limit.of(1).per(SECOND);

    assertThat(limit.named("x")).isNotEqualTo(limit).hasToString("1/1s");
    assertThat(limit.named("x").name()).isEqualTo("x");
    assertThat(limit.unit("tokens")).isNotEqualTo(limit);
    assertThatIllegalArgumentException().isThrownBy(() -> limit.named(" "));
    assertThatIllegalArgumentException().isThrownBy(() -> limit.unit(""));
  }
}
