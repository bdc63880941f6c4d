package dev.paceline.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FullJitterTest {
  private static final int DRAWS = 10_000;

  /** Kolmogorov–Smirnov at 1 %: 1.628 / sqrt(n). */
  private static final double CRITICAL = 1.628 / Math.sqrt(DRAWS);

  private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

  private final FullJitter standard =
      new FullJitter(Duration.ofMillis(500), Duration.ofSeconds(30), Duration.ofMillis(50));

  /** Draws, checks the range, and returns the greatest distance from the uniform distribution. */
  private static double distanceFromUniform(LongSupplier draw, long from, long to) {
    long[] draws = new long[DRAWS];
    Arrays.setAll(draws, i -> draw.getAsLong());
    Arrays.sort(draws);
    assertThat(draws[0]).isGreaterThanOrEqualTo(from);
    assertThat(draws[DRAWS - 1]).isLessThanOrEqualTo(to);
    double distance = 0;
    for (int i = 0; i < DRAWS; i++) {
      double expected = (double) (draws[i] - from) / ((double) to - from);
      distance = Math.max(distance, Math.abs(expected - (double) i / DRAWS));
      distance = Math.max(distance, Math.abs(expected - (i + 1.0) / DRAWS));
    }
    return distance;
  }

  @ParameterizedTest
  @CsvSource({"0,500", "1,1000", "3,4000", "31,30000", "63,30000", "64,30000", "1000,30000"})
  void draws_without_a_hint_are_uniform_up_to_the_bound(int attempt, long boundMillis) {
    Random random = new Random(20_260_101L + attempt);
    double distance =
        distanceFromUniform(
            () -> standard.delayNanos(attempt, random), millis(50), millis(boundMillis));
    assertThat(distance).isLessThan(CRITICAL);
  }

  @ParameterizedTest
  @CsvSource({
    "0,200,300",
    "0,10000,10500",
    "3,10000,12500",
    "31,10000,12500",
    "63,900000,930000",
    "1000,900000,930000",
    "1000,1,101"
  })
  void draws_after_a_wait_are_uniform_from_the_wait_on(int attempt, long wait, long endMillis) {
    Random random = new Random(20_260_102L + attempt + wait);
    double distance =
        distanceFromUniform(
            () -> standard.delayNanos(attempt, Duration.ofMillis(wait), random),
            millis(wait),
            millis(endMillis));
    assertThat(distance).isLessThan(CRITICAL);
  }

  @Test
  void the_uniformity_test_notices_symmetric_jitter() {
    Random random = new Random(1);
    double distance =
        distanceFromUniform(
            () -> millis(250) + (long) (millis(250) * random.nextDouble()), 0, millis(500));
    assertThat(distance).isGreaterThan(CRITICAL);
  }

  /** BJ-01. */
  @Test
  void full_jitter_stays_between_zero_and_the_cap() {
    FullJitter jitter = new FullJitter(Duration.ofMillis(100), Duration.ofSeconds(10), zero());
    Random random = new Random(1);
    for (int i = 0; i < DRAWS; i++) {
      assertThat(jitter.delayNanos(i % 40, random)).isBetween(0L, millis(10_000));
    }
  }

  /** BJ-02. */
  @Test
  void no_attempt_overflows_the_bound() {
    FullJitter jitter = new FullJitter(Duration.ofMillis(30), Duration.ofSeconds(1), zero());
    FullJitter slow = new FullJitter(Duration.ofDays(5), LONGEST, zero());
    Random random = new Random(2);
    IntStream.concat(IntStream.rangeClosed(0, 200), IntStream.of(1_000, Integer.MAX_VALUE))
        .forEach(
            attempt -> {
              long bound = jitter.boundNanos(attempt);
              assertThat(bound).isEqualTo(attempt < 6 ? millis(30) << attempt : millis(1_000));
              assertThat(jitter.delayNanos(attempt, random)).isBetween(0L, millis(1_000));
              assertThat(slow.boundNanos(attempt)).isPositive();
              assertThat(slow.delayNanos(attempt, random)).isNotNegative();
              assertThat(slow.delayNanos(attempt, LONGEST, random)).isEqualTo(Long.MAX_VALUE);
            });
    assertThat(slow.boundNanos(31)).isEqualTo(Long.MAX_VALUE);
  }

  /** BJ-04. */
  @Test
  void bounds_double_from_the_base_to_the_cap() {
    FullJitter jitter = new FullJitter(Duration.ofMillis(100), Duration.ofSeconds(10), zero());
    assertThat(IntStream.range(0, 8).mapToLong(jitter::boundNanos).map(n -> n / 1_000_000))
        .containsExactly(100L, 200L, 400L, 800L, 1_600L, 3_200L, 6_400L, 10_000L);
  }

  /** BJ-04. */
  @Test
  void draws_between_a_least_and_a_most_use_the_whole_interval() {
    FullJitter jitter =
        new FullJitter(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMillis(100));
    Random random = new Random(4);
    long[] draws = new long[1_000];
    Arrays.setAll(draws, i -> jitter.delayNanos(0, random) / 1_000_000);
    assertThat(Arrays.stream(draws).min().getAsLong()).isBetween(100L, 150L);
    assertThat(Arrays.stream(draws).max().getAsLong()).isBetween(900L, 1_000L);
    assertThat(Arrays.stream(draws).average().getAsDouble()).isBetween(520.0, 580.0);
  }

  /** BJ-07. */
  @Test
  void a_wait_of_ten_seconds_is_never_cut_and_spread_by_a_quarter_at_most() {
    Random random = new Random(7);
    long[] draws = new long[DRAWS];
    Arrays.setAll(draws, i -> standard.delayNanos(4, Duration.ofSeconds(10), random));
    assertThat(Arrays.stream(draws).min().getAsLong()).isGreaterThanOrEqualTo(millis(10_000));
    assertThat(Arrays.stream(draws).max().getAsLong()).isLessThanOrEqualTo(millis(12_500));
    long distinct = Arrays.stream(draws).map(n -> n / 1_000_000).distinct().count();
    assertThat(distinct).isGreaterThan(2_500 * 95 / 100);
  }

  @Test
  void a_cap_below_the_least_delay_wins() {
    FullJitter jitter =
        new FullJitter(Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofMillis(50));
    assertThat(jitter.delayNanos(5, new Random(1))).isEqualTo(millis(10));
  }

  @Test
  void a_wait_near_the_longest_time_is_still_spread() {
    FullJitter slow = new FullJitter(Duration.ofDays(5), LONGEST, zero());
    Duration wait = Duration.ofSeconds(Long.MAX_VALUE / 1_000_000_000 - 1);
    Random random = new Random(8);
    double distance =
        distanceFromUniform(
            () -> slow.delayNanos(40, wait, random) - wait.toNanos(),
            0,
            Long.MAX_VALUE - wait.toNanos());
    assertThat(distance).isLessThan(CRITICAL);
  }

  @Test
  void a_draw_fits_into_what_is_left() {
    Random random = new Random(3);
    for (int i = 0; i < DRAWS; i++) {
      assertThat(standard.delayNanos(9, millis(200), random)).isBetween(millis(50), millis(200));
      assertThat(standard.delayNanos(9, Duration.ofSeconds(9), millis(10_000), random))
          .isBetween(millis(9_000), millis(10_000));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE})
  void an_attempt_below_zero_is_refused(int attempt) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> standard.boundNanos(attempt))
        .withMessageContaining("attempt is " + attempt);
  }

  @Test
  void negative_durations_are_refused() {
    Duration negative = Duration.ofNanos(-1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FullJitter(negative, zero(), zero()))
        .withMessageContaining("base is PT-0.000000001S");
    assertThatIllegalArgumentException().isThrownBy(() -> new FullJitter(zero(), negative, zero()));
    assertThatIllegalArgumentException().isThrownBy(() -> new FullJitter(zero(), zero(), negative));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> standard.delayNanos(0, negative, new Random(1)));
  }

  private static Duration zero() {
    return Duration.ZERO;
  }

  private static long millis(long millis) {
    return millis * 1_000_000;
  }
}
