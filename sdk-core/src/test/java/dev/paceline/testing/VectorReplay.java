package dev.paceline.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paceline.limit.GroupSchedule;
import dev.paceline.limit.Limit;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Replays the worked sequences of {@code limits/vectors.jsonl} on any implementation of a group.
 */
public final class VectorReplay {
  private static final ObjectMapper JSON = new ObjectMapper();

  private VectorReplay() {}

  /** One worked sequence. */
  public record Sequence(
      String name,
      List<Limit> limits,
      boolean pace,
      @Nullable Long maxWaitMillis,
      List<Op> ops,
      List<Answer> expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** One call of a sequence. */
  public record Op(long atMillis, long cost, String key) {}

  /** What must come of it; what the sequence does not state is null. */
  public record Answer(
      boolean allowed,
      @Nullable Long startMillis,
      @Nullable Long retryAfterMillis,
      @Nullable Long remaining) {}

  /** All sequences. */
  public static List<Sequence> sequences() {
    try (InputStream in = VectorReplay.class.getResourceAsStream("/limits/vectors.jsonl")) {
      List<Sequence> sequences = new ArrayList<>();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        sequences.add(sequence(JSON.readTree(line)));
      }
      return sequences;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Sequence sequence(JsonNode node) {
    List<Limit> limits = new ArrayList<>();
    node.get("limits").forEach(limit -> limits.add(limit(limit)));
    List<Op> ops = new ArrayList<>();
    node.get("ops")
        .forEach(
            op ->
                ops.add(
                    new Op(
                        op.get("at_ms").asLong(),
                        op.path("cost").asLong(1),
                        op.path("key").asText(""))));
    List<Answer> expected = new ArrayList<>();
    node.get("expect")
        .forEach(
            answer ->
                expected.add(
                    new Answer(
                        answer.get("allowed").asBoolean(),
                        number(answer, "start_ms"),
                        number(answer, "retry_after_ms"),
                        number(answer, "remaining"))));
    return new Sequence(
        node.get("name").asText(),
        limits,
        node.get("mode").asText().equals("pace"),
        number(node, "max_wait_ms"),
        ops,
        expected);
  }

  private static @Nullable Long number(JsonNode node, String field) {
    JsonNode value = node.path(field);
    return value.isNumber() ? value.asLong() : null;
  }

  private static Limit limit(JsonNode node) {
    long permits = node.get("permits").asLong();
    Limit limit = Limit.of(permits).per(Duration.ofMillis(node.get("period_ms").asLong()));
    return switch (node.get("algorithm").asText()) {
      case "gcra" -> limit.burst(node.path("burst").asLong(1));
      case "token-bucket" -> limit.tokenBucket(node.path("burst").asLong(permits));
      case "fixed-window" -> limit.fixedWindow();
      case "sliding-window-log" -> limit.slidingWindowLog();
      case "sliding-window-counter" -> limit.slidingWindowCounter();
      default -> throw new IllegalArgumentException(node.toString());
    };
  }

  /** Plays a sequence, one group for each key, and compares each answer. */
  public static void replay(Sequence sequence, Function<List<Limit>, GroupUnderTest> factory) {
    Map<String, GroupUnderTest> groups = new HashMap<>();
    for (int i = 0; i < sequence.ops().size(); i++) {
      Op op = sequence.ops().get(i);
      GroupUnderTest group =
          groups.computeIfAbsent(op.key(), key -> factory.apply(sequence.limits()));
      assertThat(answer(sequence, op, group))
          .as("%s, line %d: %s", sequence.name(), i + 1, op)
          .isEqualTo(sequence.expected().get(i));
    }
  }

  private static Answer answer(Sequence sequence, Op op, GroupUnderTest group) {
    long at = op.atMillis() * 1_000;
    long start = group.earliest(at, op.cost());
    boolean never = start == GroupSchedule.NEVER;
    long wait = never ? Long.MAX_VALUE : start - at;
    long patience = sequence.pace() ? patience(sequence.maxWaitMillis()) : 0;
    boolean allowed = !never && wait <= patience;
    if (allowed) {
      group.take(start, op.cost());
    }
    return new Answer(
        allowed,
        allowed ? ceilMillis(start) : null,
        allowed || never ? null : ceilMillis(wait),
        sequence.pace() ? null : group.remaining(at));
  }

  private static long patience(@Nullable Long maxWaitMillis) {
    return maxWaitMillis == null ? Long.MAX_VALUE - 1 : maxWaitMillis * 1_000;
  }

  private static long ceilMillis(long micros) {
    return Math.floorDiv(micros + 999, 1_000L);
  }
}
