package dev.paceline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Four workers on one schedule of 200/s, at a provider that judges arrivals by a GCRA of its own.
 */
final class GuardLearnerTest {

  private static final long T = 5_000;

  /** What came of a stretch of time. */
  private record Figures(int sent, int refused, double seconds) {
    double usedOf(double perSecond) {
      return (sent - refused) / seconds / perSecond;
    }

    double refusedShare() {
      return (double) refused / sent;
    }
  }

  private final List<GuardLearner> workers = new ArrayList<>();
  private SplittableRandom random = new SplittableRandom(1);
  private double providerTat;
  private double jitterMicros;
  private double due;
  private long guard;

  private void seeded(long seed) {
    random = new SplittableRandom(seed);
    for (int i = 0; i < 4; i++) {
      workers.add(new GuardLearner(T, 0));
    }
  }

  private Figures run(double seconds, double providerPerSecond, int burst) {
    double interval = 1_000_000 / providerPerSecond;
    double end = due + seconds * 1_000_000;
    double last = 0;
    int sent = 0;
    int refused = 0;
    while (due < end) {
      double at = Math.max(last, due - jitterMicros * Math.log(1 - random.nextDouble()));
      last = at;
      boolean no = Math.max(providerTat, at) + interval - burst * interval > at + 0.5;
      if (!no) {
        providerTat = Math.max(providerTat, at) + interval;
      }
      sent++;
      refused += no ? 1 : 0;
      GuardLearner worker = workers.get(sent % 4);
      OptionalLong next = worker.after(no, (long) (at * 1_000), guard, () -> 4);
      guard = next.orElse(guard);
      due += T + guard;
    }
    return new Figures(sent, refused, seconds);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void a_limit_lower_than_published_is_found_and_given_up_when_it_rises_again(long seed) {
    seeded(seed);
    jitterMicros = 200;
    run(10, 150, 5);
    Figures low = run(60, 150, 5);
    assertThat(low.usedOf(150)).isGreaterThanOrEqualTo(0.95);
    assertThat(low.refusedShare()).isLessThanOrEqualTo(0.02);
    run(60, 200, 5);
    assertThat(run(10, 200, 5).usedOf(200)).isGreaterThanOrEqualTo(0.95);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void a_provider_without_tolerance_is_kept_from_refusing(long seed) {
    seeded(seed);
    jitterMicros = 250;
    run(10, 200, 1);
    Figures strict = run(60, 200, 1);
    assertThat(strict.usedOf(200)).isGreaterThanOrEqualTo(0.80);
    assertThat(strict.refusedShare()).isLessThanOrEqualTo(0.04);
  }

  @Test
  void without_refusals_there_is_no_guard() {
    seeded(1);
    jitterMicros = 200;
    run(60, 200, 5);
    assertThat(guard).isZero();
  }

  @Test
  void another_workers_answer_starts_a_new_count() {
    GuardLearner learner = new GuardLearner(T, 0);
    for (int i = 0; i < 3; i++) {
      assertThat(learner.after(true, i, 0, () -> 1)).isEmpty();
    }
    assertThat(learner.after(true, 4, 300, () -> 1)).isEmpty();
    assertThat(learner.after(true, 5, 300, () -> 1)).isEmpty();
  }
}
