package dev.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.limit.Limit;
import dev.paceline.limit.LimitState;
import dev.paceline.testing.TestThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AtomicGcraTest {
  private static final long SECOND = 1_000_000_000L;

  private static AtomicGcra cell(Limit limit, long nanoNow) {
    return new AtomicGcra(GcraTicks.of(limit).orElseThrow(), nanoNow);
  }

  private static Limit perSecond(long permits) {
    return Limit.of(permits).per(Duration.ofSeconds(1));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -SECOND, Long.MIN_VALUE, Long.MAX_VALUE - SECOND})
  void permits_of_a_paced_limit_come_at_the_same_distance_from_any_origin(long origin) {
    AtomicGcra cell = cell(perSecond(3), origin);

    List<Long> taken = new ArrayList<>();
    for (long nanos = 0; nanos <= 2 * SECOND; nanos += 1_000_000) {
      if (cell.tryTake(origin + nanos)) {
        taken.add(nanos / 1_000_000);
      }
    }
    assertThat(taken).containsExactly(0L, 334L, 668L, 1002L, 1336L, 1670L);
  }

  @Test
  void interval_that_is_no_whole_number_of_nanoseconds_does_not_drift() {
    AtomicGcra cell = cell(perSecond(3).tokenBucket(2), 0);
    cell.tryTake(0, 2);

    for (long permit = 1; permit <= 3_000; permit++) {
      long due = -Math.floorDiv(-permit * SECOND, 3L);
      assertThat(cell.tryTake(due - 1)).isFalse();
      assertThat(cell.tryTake(due)).isTrue();
    }
  }

  @Test
  void a_permit_given_back_at_once_can_be_taken_again() {
    AtomicGcra cell = cell(perSecond(10), 7);

    assertThat(cell.tryTake(7)).isTrue();
    assertThat(cell.tryTake(7)).isFalse();
    assertThat(cell.tryGiveBack(7, 7, 1)).isTrue();
    assertThat(cell.tryTake(7)).isTrue();
    assertThat(cell.tryTake(7)).isFalse();
  }

  @Test
  void what_time_has_paid_for_is_not_given_back() {
    long interval = SECOND / 10;
    AtomicGcra cell = cell(perSecond(10), 0);

    assertThat(cell.tryTake(0)).isTrue();
    assertThat(cell.tryTake(interval)).isTrue();
    // The first permit's interval has passed: the second does not come earlier for it.
    assertThat(cell.tryGiveBack(interval, 0, 1)).isTrue();
    assertThat(cell.nanosUntil(interval, 1)).isEqualTo(interval);
    // Half of the second's has: the rest is given back, once more changes nothing.
    assertThat(cell.tryGiveBack(interval * 3 / 2, interval, 1)).isTrue();
    assertThat(cell.nanosUntil(interval * 3 / 2, 1)).isZero();
    assertThat(cell.tryGiveBack(interval * 3 / 2, interval, 1)).isTrue();
    assertThat(cell.tryTake(interval * 3 / 2)).isTrue();
    assertThat(cell.nanosUntil(interval * 3 / 2, 1)).isEqualTo(interval);
  }

  @Test
  void a_closed_cell_takes_nothing_back() {
    AtomicGcra cell = cell(perSecond(10), 0);
    assertThat(cell.tryTake(0)).isTrue();
    assertThat(cell.tryGiveBack(0, 0, 2)).isFalse();

    cell.close(0, 0, 0);
    assertThat(cell.tryGiveBack(0, 0, 1)).isFalse();
  }

  @Test
  void token_bucket_spends_its_burst_and_then_refills() {
    AtomicGcra cell = cell(perSecond(10).tokenBucket(5), 0);

    assertThat(cell.tryTake(0, 4)).isTrue();
    assertThat(cell.remaining(0)).isEqualTo(1);
    assertThat(cell.tryTake(0, 2)).isFalse();
    assertThat(cell.tryTake(SECOND / 10 - 1, 2)).isFalse();
    assertThat(cell.tryTake(SECOND / 10, 2)).isTrue();
    assertThat(cell.nanosToFull(SECOND / 10)).isEqualTo(SECOND / 2);
  }

  @ParameterizedTest
  @ValueSource(longs = {6, Long.MAX_VALUE})
  void cost_over_the_burst_is_refused_and_charges_nothing(long cost) {
    AtomicGcra cell = cell(perSecond(10).tokenBucket(5), 0);

    assertThat(cell.tryTake(0, cost)).isFalse();
    assertThat(cell.remaining(0)).isEqualTo(5);
  }

  @Test
  void closed_cell_refuses_until_it_is_opened_with_the_debt_that_it_handed_over() {
    AtomicGcra cell = cell(perSecond(10).tokenBucket(5), 0);
    cell.tryTake(0, 5);

    LimitState state = cell.close(0, 7_000_000, 0);
    assertThat(cell.isClosed()).isTrue();
    assertThat(cell.tryTake(100 * SECOND)).isFalse();
    assertThat(cell.close(0, 7_000_000, 0)).isEqualTo(new LimitState.Unused());
    assertThat(state).isEqualTo(new LimitState.Arrival(7_500_000, 0));

    assertThat(cell.open(state, 0, 7_000_000, 0)).isTrue();
    assertThat(cell.remaining(0)).isZero();
    assertThat(cell.tryTake(SECOND / 10 - 1)).isFalse();
    assertThat(cell.tryTake(SECOND / 10)).isTrue();
  }

  @Test
  void debt_too_far_ahead_keeps_the_cell_closed() {
    AtomicGcra cell = cell(perSecond(10), 0);
    cell.close(0, 0, 0);

    assertThat(cell.open(new LimitState.Arrival(1L << 53, 0), 0, 0, 0)).isFalse();
    assertThat(cell.isClosed()).isTrue();
  }

  @Test
  void limits_that_need_too_fine_a_tick_are_not_eligible() {
    assertThat(AtomicGcra.eligible(perSecond(100))).isTrue();
    assertThat(AtomicGcra.eligible(perSecond(7_000).tokenBucket())).isTrue();
    assertThat(AtomicGcra.eligible(perSecond(71))).isTrue();
    assertThat(AtomicGcra.eligible(perSecond(73))).isFalse();
    assertThat(AtomicGcra.eligible(perSecond(100).fixedWindow())).isFalse();
    assertThat(AtomicGcra.eligible(Limit.of(1).per(Duration.ofDays(50_000)))).isFalse();
  }

  @Test
  void hundred_threads_never_take_more_than_the_bound() throws InterruptedException {
    long burst = 50;
    AtomicGcra cell = cell(perSecond(1_000).tokenBucket(burst), 0);
    AtomicLong clock = new AtomicLong();
    AtomicInteger taken = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      threads.add(
          TestThreads.start(
              "caller-" + i,
              () -> {
                for (int call = 0; call < 2_000; call++) {
                  if (cell.tryTake(clock.addAndGet(1_000))) {
                    taken.incrementAndGet();
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    long elapsed = 100 * 2_000 * 1_000L;
    long due = burst + elapsed / 1_000_000;
    assertThat(taken.get()).isBetween((int) due - 2, (int) due);
  }
}
