package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.limit.GroupSchedule;
import dev.paceline.limit.Limit;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.RemoteReply;
import dev.paceline.testing.GroupUnderTest;
import dev.paceline.testing.VectorReplay;
import dev.paceline.testing.VectorReplay.Sequence;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The worked sequences through Redis. */
class ScriptVectorsIT {
  private static SetClock clock;
  private static int groups;

  @BeforeAll
  static void connect() {
    clock = new SetClock();
  }

  @AfterAll
  static void disconnect() {
    clock.close();
  }

  static List<Sequence> sequences() {
    return VectorReplay.sequences();
  }

  @ParameterizedTest
  @MethodSource("sequences")
  void worked_sequence_is_answered_exactly(Sequence sequence) {
    VectorReplay.replay(sequence, InRedis::new);
  }

  private static final class InRedis implements GroupUnderTest {
    private final Group group;
    private long askedAt;

    InRedis(List<Limit> limits) {
      group = new Group(new GroupKey("vectors", "*", "" + ++groups), limits);
    }

    private RemoteReply ask(long cost, long latest) {
      long[] costs = new long[group.limits().size()];
      Arrays.fill(costs, cost);
      clock.now = askedAt;
      return clock.decide(SetClock.ask(group, costs, 1, 0, latest, SetClock.NO_FLOOR)).get(0);
    }

    @Override
    public long earliest(long atMicros, long cost) {
      askedAt = atMicros;
      RemoteReply reply = ask(cost, -1);
      return reply.kind() == RemoteReply.Kind.NEVER ? GroupSchedule.NEVER : reply.earliest();
    }

    @Override
    public void take(long startMicros, long cost) {
      RemoteReply reply = ask(cost, Long.MAX_VALUE);
      assertThat(reply.starts()).containsExactly(startMicros);
    }

    /** From all that is stored, since a reply has a log's newest instant only. */
    @Override
    public long remaining(long atMicros) {
      GroupSchedule schedule = new GroupSchedule(group.limits());
      String stored = clock.redis.get(clock.key(group));
      if (stored != null) {
        schedule.restore(StateText.parse(stored).state());
      }
      return schedule.remaining(atMicros);
    }
  }
}
