package dev.paceline.store;

import java.time.Instant;
import java.util.Optional;

/**
 * Whether a shared store answers.
 *
 * @param degraded whether calls are decided by the outage policy now
 * @param since since when by the wall clock; empty unless degraded
 * @param why what made it so, for people; empty unless degraded
 * @param lastError the last command's failure, also one that did not matter; empty if none failed
 */
public record StoreHealth(
    boolean degraded, Optional<Instant> since, String why, String lastError) {}
