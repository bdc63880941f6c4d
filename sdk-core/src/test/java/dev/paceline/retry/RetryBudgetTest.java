package dev.paceline.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.paceline.testing.TestThreads;
import dev.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryBudgetTest {
  private final VirtualTime time =
      VirtualTime.startingAt(Long.MAX_VALUE - 1_000, Instant.parse("2026-01-01T00:00:00Z"));
  private final RetryBudget budget = RetryBudget.of(0.1, 0.2, time::nanoTime);

  private int retries(int wanted) {
    return (int) IntStream.range(0, wanted).filter(i -> budget.tryRetry()).count();
  }

  private void succeed(int times) {
    IntStream.range(0, times).forEach(i -> budget.success());
  }

  /** BU-01. */
  @Test
  void successes_refill_a_drained_budget_exactly() {
    assertThat(retries(60)).isEqualTo(10);
    assertThat(budget.balance()).isZero();
    succeed(100);
    assertThat(budget.balance()).isEqualTo(10.0);
    succeed(100);
    assertThat(budget.tryRetry()).isTrue();
  }

  /** BU-02. */
  @Test
  void a_budget_still_works_after_ten_idle_minutes() {
    succeed(100);
    time.advance(Duration.ofMinutes(10));
    succeed(95);
    assertThat(retries(5)).isEqualTo(5);
  }

  @Test
  void an_idle_day_saves_up_nothing() {
    assertThat(retries(60)).isEqualTo(10);
    time.advance(Duration.ofDays(1));
    assertThat(budget.balance()).isZero();
    assertThat(retries(60)).isEqualTo(1);
  }

  @Test
  void a_busy_upstream_holds_what_ten_seconds_deposit_and_no_more() {
    for (int second = 0; second < 100; second++) {
      succeed(1_000);
      time.advance(Duration.ofSeconds(1));
    }
    assertThat(budget.balance()).isBetween(900.0, 1_000.0);
    time.advance(Duration.ofSeconds(10));
    assertThat(budget.balance()).isEqualTo(10.0);
  }

  @Test
  void the_floor_lets_one_retry_through_in_five_seconds() {
    assertThat(retries(60)).isEqualTo(10);
    int passed = 0;
    for (int tenth = 0; tenth < 600; tenth++) {
      time.advance(Duration.ofMillis(100));
      passed += retries(20);
    }
    assertThat(passed).isEqualTo(12);
  }

  @Test
  void without_successes_ten_and_the_floor_are_the_bound_at_any_time() {
    int passed = 0;
    for (int i = 1; i <= 50_000; i++) {
      passed += retries(1);
      time.advance(Duration.ofMillis(7));
      assertThat((double) passed).isLessThanOrEqualTo(10 + 0.2 * 0.007 * i);
    }
    assertThat(passed).isGreaterThan(10 + 60);
  }

  @Test
  void no_floor_means_no_free_retry() {
    RetryBudget strict = RetryBudget.of(0.1, 0, time::nanoTime);
    assertThat(IntStream.range(0, 60).filter(i -> strict.tryRetry()).count()).isEqualTo(10);
    time.advance(Duration.ofDays(1));
    assertThat(strict.tryRetry()).isFalse();
  }

  @Test
  void an_unlimited_budget_never_refuses() {
    RetryBudget unlimited = RetryBudget.unlimited();
    assertThat(IntStream.range(0, 10_000).allMatch(i -> unlimited.tryRetry())).isTrue();
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1_000.1, Double.NaN, Double.POSITIVE_INFINITY})
  void ratios_and_floors_out_of_range_are_refused(double value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RetryBudget.of(value, 0.2, time::nanoTime))
        .withMessageContaining("ratio is " + value);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RetryBudget.of(0.1, value, time::nanoTime))
        .withMessageContaining("floorPerSecond is " + value);
  }

  @Test
  void concurrent_callers_never_spend_a_token_twice() throws InterruptedException {
    AtomicInteger passed = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      threads.add(
          TestThreads.start(
              "spender-" + t,
              () -> {
                for (int i = 0; i < 1_000; i++) {
                  budget.success();
                  if (budget.tryRetry()) {
                    passed.incrementAndGet();
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    // 8,000 deposits of 0.1 and the initial 10; what is not spent is still there.
    assertThat(passed.get() + budget.balance()).isLessThanOrEqualTo(810.0 + 1e-9);
    assertThat(passed.get()).isGreaterThan(700);
  }
}
