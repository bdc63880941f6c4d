package dev.paceline.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.paceline.limit.Simulation.Call;
import dev.paceline.testing.VectorReplay;
import dev.paceline.testing.VectorReplay.Answer;
import dev.paceline.testing.VectorReplay.Sequence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SimulationTest {
  private static final List<Limit> ONE_A_SECOND = List.of(Limit.of(1).per(Duration.ofSeconds(1)));

  static List<Sequence> sequences() {
    return VectorReplay.sequences();
  }

  @ParameterizedTest
  @MethodSource("sequences")
  void worked_sequence_is_answered_exactly(Sequence sequence) {
    Simulation simulation =
        sequence.pace()
            ? Simulation.pace(
                sequence.limits(),
                Optional.ofNullable(sequence.maxWaitMillis()).map(Duration::ofMillis))
            : Simulation.check(sequence.limits());

    for (int i = 0; i < sequence.ops().size(); i++) {
      VectorReplay.Op op = sequence.ops().get(i);
      Simulation.Result result = simulation.offer(new Call(op.atMillis(), op.cost(), op.key()));
      assertThat(
              new Answer(
                  result.allowed(),
                  orNull(result.startMillis()),
                  orNull(result.retryAfterMillis()),
                  orNull(result.remaining())))
          .isEqualTo(sequence.expected().get(i));
    }
  }

  private static @Nullable Long orNull(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }

  @Test
  void call_from_the_past_is_refused_and_charges_nothing() {
    Simulation simulation = Simulation.check(ONE_A_SECOND);
    simulation.offer(new Call(5_000, 1, ""));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> simulation.offer(new Call(4_999, 1, "other")))
        .withMessageContaining("at_ms=4999");
    assertThat(simulation.offer(new Call(5_000, 1, "other")).allowed()).isTrue();
  }

  @Test
  void cost_below_one_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Simulation.check(ONE_A_SECOND).offer(new Call(0, 0, "")))
        .withMessageContaining("cost=0");
  }

  @Test
  void longest_wait_is_still_allowed_and_a_millisecond_more_is_not() {
    Simulation simulation = Simulation.pace(ONE_A_SECOND, Optional.of(Duration.ofSeconds(1)));
    simulation.offer(new Call(0, 1, ""));

    assertThat(simulation.offer(new Call(0, 1, "")).startMillis()).hasValue(1_000);
    assertThat(simulation.offer(new Call(999, 1, "")).retryAfterMillis()).hasValue(1_001);
    assertThat(simulation.offer(new Call(1_000, 1, "")).startMillis()).hasValue(2_000);
  }
}
