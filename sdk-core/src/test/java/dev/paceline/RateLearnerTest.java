package dev.paceline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RateLearnerTest {

  private static final long MILLI = 1_000_000;

  @Test
  void the_first_refusal_sets_the_rate_accepted_in_the_last_second() {
    RateLearner learner = new RateLearner(0);
    for (int i = 0; i < 100; i++) {
      assertThat(learner.after(false, i * 50 * MILLI, i * 50 * MILLI)).isFalse();
    }
    assertThat(learner.after(true, 4_990 * MILLI, 4_990 * MILLI)).isTrue();
    assertThat(learner.perSecond()).isEqualTo(20);
  }

  @Test
  void refusals_of_requests_sent_before_the_cut_do_not_cut_again() {
    RateLearner learner = new RateLearner(0);
    for (int i = 0; i < 20; i++) {
      learner.after(false, 0, i * MILLI);
    }
    learner.after(true, 0, 30 * MILLI);
    for (int i = 0; i < 20; i++) {
      assertThat(learner.after(true, 20 * MILLI, 31 * MILLI)).isFalse();
    }
    assertThat(learner.perSecond()).isEqualTo(20);
    assertThat(learner.after(true, 40 * MILLI, 41 * MILLI)).isTrue();
    assertThat(learner.perSecond()).isEqualTo(18);
  }

  @Test // FA-05
  void it_settles_at_what_the_provider_takes() {
    RateLearner learner = new RateLearner(0);
    long now = 0;
    double bucket = 20;
    long accepted = 0;
    long refused = 0;
    while (now < 60_000 * MILLI) {
      long gap = learner.perSecond() == 0 ? 25 * MILLI : (long) (1e9 / learner.perSecond());
      now += gap;
      bucket = Math.min(20, bucket + gap * 20 / 1e9);
      boolean no = bucket < 1;
      bucket -= no ? 0 : 1;
      learner.after(no, now, now);
      if (now > 10_000 * MILLI) {
        accepted += no ? 0 : 1;
        refused += no ? 1 : 0;
      }
    }
    assertThat(accepted / 50.0).isGreaterThanOrEqualTo(18);
    assertThat((double) refused / (accepted + refused)).isLessThanOrEqualTo(0.05);
  }
}
