package dev.paceline;

import dev.paceline.event.RefusalReason;
import dev.paceline.retry.StopReason;
import dev.paceline.store.SharedStore;
import dev.paceline.store.StoreStats;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was counted since Paceline was built.
 *
 * @param permits handed out
 * @param permitsGivenBack of these, those that came back unused
 * @param refused calls that were not sent, by reason
 * @param queued callers that wait now
 * @param inFlight calls of this process that are in flight now, where that is limited
 * @param inFlightExpired of these, those whose end nobody told within {@link
 *     UpstreamBuilder#longestCall}
 * @param attempts requests that went out on the wire, follow-ups included
 * @param retries attempts after the first of a call
 * @param notRetried calls that failed and were not, or not any more, repeated, by reason
 * @param throttled responses by which a provider refused because of a limit or load
 * @param cooldowns schedules that responses have put on hold, each time
 * @param store what the shared store has counted, if there is one
 */
public record Stats(
    long permits,
    long permitsGivenBack,
    Map<RefusalReason, Long> refused,
    long queued,
    long inFlight,
    long inFlightExpired,
    long attempts,
    long retries,
    Map<StopReason, Long> notRetried,
    long throttled,
    long cooldowns,
    Optional<StoreStats> store) {

  /** Copies the maps. */
  public Stats {
    refused = Map.copyOf(refused);
    notRetried = Map.copyOf(notRetried);
  }

  static Stats of(Engine engine) {
    Counters counters = engine.counters();
    Map<RefusalReason, Long> refused = new EnumMap<>(RefusalReason.class);
    for (RefusalReason reason : RefusalReason.values()) {
      refused.put(reason, counters.get(Counters.refused(reason)));
    }
    return new Stats(
        counters.get(Counters.Name.PERMITS),
        counters.get(Counters.Name.PERMITS_GIVEN_BACK),
        refused,
        engine.pacers().queued(),
        engine.store().slots().inFlight(),
        engine.store().slots().expired(),
        counters.get(Counters.Name.ATTEMPTS),
        counters.get(Counters.Name.RETRIES),
        notRetried(counters),
        counters.get(Counters.Name.THROTTLED),
        counters.get(Counters.Name.COOLDOWNS),
        engine.store() instanceof SharedStore shared
            ? Optional.of(shared.stats())
            : Optional.empty());
  }

  private static Map<StopReason, Long> notRetried(Counters counters) {
    return Map.of(
        StopReason.BUDGET, counters.get(Counters.Name.NOT_RETRIED_BUDGET),
        StopReason.ATTEMPTS, counters.get(Counters.Name.NOT_RETRIED_ATTEMPTS),
        StopReason.NOT_IDEMPOTENT, counters.get(Counters.Name.NOT_RETRIED_NOT_IDEMPOTENT),
        StopReason.DEADLINE, counters.get(Counters.Name.NOT_RETRIED_DEADLINE));
  }
}
