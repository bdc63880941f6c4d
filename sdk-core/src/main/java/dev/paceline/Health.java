package dev.paceline;

import dev.paceline.store.ScheduleStore;
import dev.paceline.store.SharedStore;
import dev.paceline.store.StoreHealth;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether everything works as configured.
 *
 * @param degraded whether the shared store is away, so that the outage policy decides
 * @param since since when by the wall clock, if degraded
 * @param why in words for people; empty unless degraded
 * @param lastError the last failure of a store command, also one without consequence; empty if none
 */
public record Health(boolean degraded, Optional<Instant> since, String why, String lastError) {

  static Health of(ScheduleStore store) {
    if (store instanceof SharedStore shared) {
      StoreHealth health = shared.health();
      return new Health(health.degraded(), health.since(), health.why(), health.lastError());
    }
    return new Health(false, Optional.empty(), "", "");
  }
}
