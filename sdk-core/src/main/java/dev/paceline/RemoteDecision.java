package dev.paceline;

import dev.paceline.limit.Decision;
import dev.paceline.pace.Stage;
import dev.paceline.store.Ask;
import dev.paceline.store.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Decides a call that starts now or not at all with a store that has to be asked: group by group,
 * narrowest first; what was charged is given back where a wider group refuses.
 */
final class RemoteDecision {

  private RemoteDecision() {}

  static Decision of(Engine engine, List<Stage> stages) {
    List<Long> starts = new ArrayList<>();
    for (Stage stage : stages) {
      CompletableFuture<Reply> answer = new CompletableFuture<>();
      engine.store().ask(new Ask(stage.group(), stage.cost(), 1, 0, 0, 0), answer::complete);
      // Every ask is answered within the store's command timeout.
      Reply reply = answer.join();
      if (reply.kind() == Reply.Kind.RESERVED) {
        starts.add(reply.starts()[0]);
      } else if (reply.kind() != Reply.Kind.OPEN) {
        giveBack(engine, stages, starts);
        return refused(engine, stage, reply);
      } else {
        starts.add(engine.time().nanoTime());
      }
    }
    Stage widest = stages.get(stages.size() - 1);
    long remaining = engine.store().view(widest.group()).remaining();
    return new Decision(true, name(widest), remaining, Duration.ZERO, Duration.ZERO, false);
  }

  private static void giveBack(Engine engine, List<Stage> stages, List<Long> starts) {
    for (int i = 0; i < starts.size(); i++) {
      long[] delta = stages.get(i).cost().clone();
      for (int j = 0; j < delta.length; j++) {
        delta[j] = -delta[j];
      }
      engine.store().settle(stages.get(i).group(), starts.get(i), delta);
    }
  }

  private static Decision refused(Engine engine, Stage stage, Reply reply) {
    boolean never = reply.kind() == Reply.Kind.NEVER;
    long wait =
        reply.kind() == Reply.Kind.TOO_LATE
            ? Math.max(0, reply.earliest() - engine.time().nanoTime())
            : 0;
    return new Decision(false, name(stage), 0, Duration.ofNanos(wait), Duration.ZERO, never);
  }

  private static String name(Stage stage) {
    return stage.group().limits().get(0).name();
  }
}
