package dev.paceline;

import dev.paceline.event.RefusalReason;
import dev.paceline.limit.InFlight;
import dev.paceline.limit.Limit;
import dev.paceline.pace.Stage;
import dev.paceline.store.GroupKey;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The words of refusals: which limit, whose key, how long, and what to do. */
final class Refusals {

  private Refusals() {}

  static PacelineException of(
      RefusalReason reason, Stage stage, Duration needed, Duration maxWait) {
    String key = stage.group().key().toString();
    String limits = Scope.limits(stage.group());
    return switch (reason) {
      case DEADLINE ->
          new WaitTooLongException(
              key,
              needed,
              "%s (%s): the permit would come in %s, the call can wait %s. Nothing was sent or charged; allow a longer wait or call less often"
                  .formatted(key, limits, seconds(needed), seconds(maxWait)));
      case QUEUE_FULL ->
          new QueueFullException(
              key,
              needed,
              "%s (%s): as many callers wait as may; the permit would come in %s. Nothing was sent or charged; raise maxQueued or call less often"
                  .formatted(key, limits, seconds(needed)));
      case IN_FLIGHT -> inFlight(stage.group().key(), Optional.empty(), maxWait);
      case NEVER -> tooCostly(key, stage);
      case STORE_CLOSED ->
          new StoreClosedException(
              key,
              needed,
              "%s: the shared store is away and this upstream refuses calls then (onStoreFailure CLOSED). Nothing was sent"
                  .formatted(key));
      case CANCELLED ->
          new WaitCancelledException(key, Duration.ZERO, key + ": the wait was cancelled");
      case CLOSED -> new PacelineClosedException(key, Duration.ZERO, key + ": Paceline is closed");
      case QUOTA_EXHAUSTED ->
          new QuotaExhaustedException(
              key,
              needed,
              "%s: the provider says that the quota is spent, for another %s"
                  .formatted(key, seconds(needed)));
      case CIRCUIT_OPEN ->
          new CircuitRefusedException(
              key, needed, key + ": the circuit is open after repeated failures");
    };
  }

  static PacelineException inFlight(GroupKey by, Optional<InFlight> limit, Duration maxWait) {
    String key = by.toString();
    String most = limit.map(cap -> " (at most %d at once)".formatted(cap.most())).orElse("");
    return new TooManyInFlightException(
        key,
        Duration.ZERO,
        "%s: as many calls are in flight as may be%s, and none ended while the call waited; it can wait %s. Nothing was sent; close response bodies sooner, allow a longer wait, raise inFlight or call less often"
            .formatted(key, most, seconds(maxWait)));
  }

  private static PacelineException tooCostly(String key, Stage stage) {
    List<Limit> limits = stage.group().limits();
    for (int i = 0; i < limits.size(); i++) {
      Limit limit = limits.get(i);
      if (stage.cost()[i] > limit.capacity()) {
        return new CostTooHighException(
            key,
            Duration.ZERO,
            "%s: a call of %d %s can never pass limit %s, which grants at most %d at once. Split the call, or give the limit a burst of %d"
                .formatted(
                    key, stage.cost()[i], limit.unit(), limit, limit.capacity(), stage.cost()[i]));
      }
    }
    return new CostTooHighException(
        key, Duration.ZERO, key + ": the call costs more than its limit ever grants at once");
  }

  static String seconds(Duration duration) {
    if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
      return String.format(Locale.ROOT, "%d ms", (duration.toNanos() + 999_999) / 1_000_000);
    }
    return String.format(Locale.ROOT, "%.3f s", duration.toMillis() / 1_000.0);
  }
}
