package dev.paceline.examples;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paceline.limit.Limit;
import dev.paceline.limit.Simulation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "simulate",
    description = {
      "What would this limit do to this traffic? In virtual time.",
      "Reads {\"at_ms\":15000,\"cost\":1,\"key\":\"a\"} a line, cost and key optional, and prints"
          + " for each whether it is allowed and when it starts, or when to try again."
    })
final class SimulateCommand implements Callable<Integer> {
  @Option(
      names = "--limit",
      required = true,
      paramLabel = "SPEC",
      description = {
        "PERMITS/PERIOD[;burst=N][;algorithm=NAME][;zone=ZONE]; may be repeated.",
        "Algorithms: gcra, token-bucket, fixed-window, sliding-window-log, sliding-window-counter."
      })
  private List<Limit> limits = new ArrayList<>();

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "check",
      description =
          "check: allowed if it can start at once (default); pace: if it can start within"
              + " --max-wait.")
  private Simulation.Mode mode = Simulation.Mode.CHECK;

  @Option(
      names = "--max-wait",
      paramLabel = "D",
      description = "The longest wait when pacing; any wait if it is left out.")
  private @Nullable Duration maxWait;

  @Mixin private Input input = new Input();

  @Override
  public Integer call() throws IOException {
    Simulation simulation =
        switch (mode) {
          case CHECK -> Simulation.check(limits);
          case PACE -> Simulation.pace(limits, Optional.ofNullable(maxWait));
        };
    return input.answer(
        (text, out) -> {
          if (!text.isBlank()) {
            out.accept(answer(simulation, text));
          }
        });
  }

  private static String answer(Simulation simulation, String text) throws BadLineException {
    ObjectNode line = Json.parse(text);
    long at =
        Json.whole(line, "at_ms")
            .orElseThrow(
                () -> new BadLineException("at_ms is missing: it says when the call comes"));
    JsonNode key = line.path("key");
    if (!key.isTextual() && !key.isMissingNode() && !key.isNull()) {
      throw new BadLineException("key is %s: it must be a string".formatted(key));
    }
    ObjectNode answer = Json.object().put("at_ms", at);
    if (key.isTextual()) {
      answer.set("key", key);
    }
    try {
      Simulation.Result result =
          simulation.offer(
              new Simulation.Call(at, Json.whole(line, "cost").orElse(1), key.asText("")));
      return Json.line(told(answer, result));
    } catch (IllegalArgumentException e) {
      throw new BadLineException(Conversions.oneLine(e));
    }
  }

  private static ObjectNode told(ObjectNode answer, Simulation.Result result) {
    answer.put("allowed", result.allowed());
    if (result.startMillis().isPresent()) {
      answer.put("start_ms", result.startMillis().getAsLong());
    } else if (result.retryAfterMillis().isPresent()) {
      answer.put("retry_after_ms", result.retryAfterMillis().getAsLong());
    } else {
      answer.putNull("retry_after_ms");
    }
    result.remaining().ifPresent(permits -> answer.put("remaining", permits));
    return answer;
  }
}
