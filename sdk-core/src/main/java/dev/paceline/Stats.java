package dev.paceline;

import dev.paceline.event.RefusalReason;
import java.util.EnumMap;
import java.util.Map;

/**
 * What was counted since Paceline was built.
 *
 * @param permits handed out
 * @param permitsGivenBack of these, those that came back unused
 * @param refused calls that were not sent, by reason
 * @param queued callers that wait now
 */
public record Stats(
    long permits, long permitsGivenBack, Map<RefusalReason, Long> refused, long queued) {

  /** Copies the map. */
  public Stats {
    refused = Map.copyOf(refused);
  }

  static Stats of(Engine engine) {
    Counters counters = engine.counters();
    Map<RefusalReason, Long> refused = new EnumMap<>(RefusalReason.class);
    for (RefusalReason reason : RefusalReason.values()) {
      refused.put(reason, counters.get(Counters.Name.valueOf("REFUSED_" + reason.name())));
    }
    return new Stats(
        counters.get(Counters.Name.PERMITS),
        counters.get(Counters.Name.PERMITS_GIVEN_BACK),
        refused,
        engine.pacers().queued());
  }
}
