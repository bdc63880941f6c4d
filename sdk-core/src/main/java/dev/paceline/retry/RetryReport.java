package dev.paceline.retry;

import java.time.Duration;
import java.util.Optional;

/**
 * How the attempts of a logical call ended.
 *
 * @param attempts requests that were sent or tried, repeats by lower layers included
 * @param why why there was no further attempt
 * @param providerWait the wait that the provider asked for last
 * @param sentence the same for people, with no secrets in it
 */
public record RetryReport(
    int attempts, StopReason why, Optional<Duration> providerWait, String sentence) {}
