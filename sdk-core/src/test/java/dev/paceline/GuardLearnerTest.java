package dev.paceline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Workers on one schedule, taking turns of four permits, at a provider that judges arrivals by a
 * GCRA of its own. Each learns of the others' guard when it takes its next turn, and of an answer
 * two permits after the request.
 */
final class GuardLearnerTest {

  /**
   * The mean of an exponential lateness, in microseconds: with it a provider of 200/s without
   * tolerance refuses 37 % at full pace and 6 % at nine tenths of it, as one was seen to do.
   */
  private static final double JITTER = 262;

  private static final int TURN = 4;

  /** What came of a stretch of time. */
  private record Figures(int sent, int refused, double seconds) {
    double usedOf(double perSecond) {
      return (sent - refused) / seconds / perSecond;
    }

    double refusedShare() {
      return (double) refused / sent;
    }
  }

  private record Answer(int worker, boolean refused, boolean late) {}

  private final List<GuardLearner> workers = new ArrayList<>();
  private final Deque<Answer> answers = new ArrayDeque<>();
  private SplittableRandom random = new SplittableRandom(1);
  private long interval;
  private long[] seen = {};
  private double providerTat;
  private double due;
  private double last;
  private long guard;
  private double stallEverySeconds = Double.POSITIVE_INFINITY;
  private double stalledUntil;
  private int told;

  private void fleet(long seed, int count, long perSecond) {
    random = new SplittableRandom(seed);
    interval = 1_000_000 / perSecond;
    for (int i = 0; i < count; i++) {
      workers.add(new GuardLearner(interval));
    }
    seen = new long[count];
  }

  private double exponential(double mean) {
    return -mean * Math.log(1 - random.nextDouble());
  }

  private Figures run(double seconds, double providerPerSecond, int burst) {
    double every = 1_000_000 / providerPerSecond;
    double end = due + seconds * 1_000_000;
    int sent = 0;
    int refused = 0;
    for (int worker = 0; due < end; worker = (worker + 1) % workers.size()) {
      seen[worker] = guard;
      for (int i = 0; i < TURN; i++, due += interval + guard) {
        double at = arrival();
        boolean no = Math.max(providerTat, at) + every - burst * every > at + 0.5;
        if (!no) {
          providerTat = Math.max(providerTat, at) + every;
        }
        sent++;
        refused += no ? 1 : 0;
        answers.add(new Answer(worker, no, at - due > interval / 2.0));
        if (answers.size() > 2) {
          take(answers.remove());
        }
      }
    }
    return new Figures(sent, refused, seconds);
  }

  private double arrival() {
    if (random.nextDouble() < interval / (stallEverySeconds * 1_000_000)) {
      stalledUntil = due + 20_000;
    }
    last = Math.max(last, Math.max(stalledUntil, due + exponential(JITTER)));
    return last;
  }

  private void take(Answer answer) {
    if (answer.late()) {
      return;
    }
    OptionalLong next = workers.get(answer.worker()).after(answer.refused(), seen[answer.worker()]);
    if (next.isPresent()) {
      guard = next.getAsLong();
      seen[answer.worker()] = guard;
      told++;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void a_limit_lower_than_published_is_found_and_given_up_when_it_rises_again(long seed) {
    fleet(seed, 4, 200);
    run(10, 150, 5);
    Figures low = run(30, 150, 5);
    assertThat(low.usedOf(150)).isGreaterThanOrEqualTo(0.98);
    assertThat(low.refusedShare()).isLessThanOrEqualTo(0.02);
    run(25, 200, 5);
    assertThat(run(10, 200, 5).usedOf(200)).isGreaterThanOrEqualTo(0.95);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void a_provider_without_tolerance_is_kept_from_refusing(long seed) {
    fleet(seed, 4, 200);
    Figures first = run(10, 200, 1);
    assertThat(first.refusedShare()).isLessThanOrEqualTo(0.05);
    Figures strict = run(30, 200, 1);
    assertThat(strict.usedOf(200)).isGreaterThanOrEqualTo(0.82);
    assertThat(strict.refusedShare()).isLessThanOrEqualTo(0.02);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void what_a_stall_sends_late_does_not_slow_the_rest(long seed) {
    fleet(seed, 4, 200);
    stallEverySeconds = 1;
    run(10, 200, 1);
    Figures stalling = run(30, 200, 1);
    // A fiftieth of the time is lost; were late ones counted, down to 70 % would be used.
    assertThat(stalling.usedOf(200)).isGreaterThanOrEqualTo(0.78);
    assertThat(stalling.refusedShare()).isLessThanOrEqualTo(0.04);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20})
  void it_is_found_at_any_rate_by_any_number_of_workers(int count) {
    long perSecond = count == 1 ? 1 : 2_000;
    fleet(1, count, perSecond);
    run(2_000.0 / perSecond, 0.75 * perSecond, 20);
    Figures after = run(10_000.0 / perSecond, 0.75 * perSecond, 20);
    assertThat(after.usedOf(0.75 * perSecond)).isGreaterThanOrEqualTo(0.98);
    assertThat(after.refusedShare()).isLessThanOrEqualTo(0.02);
  }

  @Test
  void without_refusals_there_is_no_guard_and_nothing_to_tell() {
    fleet(1, 4, 200);
    run(60, 200, 5);
    assertThat(guard).isZero();
    assertThat(told).isZero();
  }

  @Test
  void a_few_refusals_begin_no_guard() {
    GuardLearner learner = new GuardLearner(1_000_000);
    for (int i = 0; i < 3; i++) {
      assertThat(learner.after(true, 0)).isEmpty();
      assertThat(learner.after(false, 0)).isEmpty();
    }
    assertThat(learner.after(true, 0)).isPresent();
  }

  @Test
  void a_settled_guard_is_told_seldom() {
    fleet(1, 4, 200);
    run(10, 150, 5);
    told = 0;
    Figures low = run(30, 150, 5);
    assertThat((double) told / low.sent()).isLessThan(0.03);
    assertThat(Arrays.stream(seen).max().orElse(0)).isLessThan(interval / 2);
  }
}
