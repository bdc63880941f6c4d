package dev.paceline.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.testing.GroupUnderTest;
import dev.paceline.testing.VectorReplay;
import dev.paceline.testing.VectorReplay.Sequence;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VectorsTest {

  static List<Sequence> sequences() {
    return VectorReplay.sequences();
  }

  @Test
  void all_sequences_are_there() {
    assertThat(sequences()).hasSize(48);
  }

  @ParameterizedTest
  @MethodSource("sequences")
  void worked_sequence_is_answered_exactly(Sequence sequence) {
    VectorReplay.replay(sequence, InProcess::new);
  }

  private static final class InProcess implements GroupUnderTest {
    private final GroupSchedule schedule;

    InProcess(List<Limit> limits) {
      schedule = new GroupSchedule(limits);
    }

    private long[] costs(long cost) {
      long[] costs = new long[schedule.limits().size()];
      Arrays.fill(costs, cost);
      return costs;
    }

    @Override
    public long earliest(long atMicros, long cost) {
      return schedule.earliest(atMicros, costs(cost));
    }

    @Override
    public void take(long startMicros, long cost) {
      schedule.take(startMicros, costs(cost));
    }

    @Override
    public long remaining(long atMicros) {
      return schedule.remaining(atMicros);
    }
  }
}
