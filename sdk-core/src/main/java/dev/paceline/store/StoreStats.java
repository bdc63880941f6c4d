package dev.paceline.store;

/**
 * What a shared store has counted since it was made.
 *
 * @param commands commands sent, heartbeats included
 * @param failures commands that failed or timed out
 * @param localAnswers asks refused here without a command, because the answer was known
 * @param fallbackPermits permits given while the store was away
 * @param statesLost schedules that the store had forgotten
 * @param statesRepaired values that were no schedules, and clock steps
 * @param outages how often the store was lost
 */
public record StoreStats(
    long commands,
    long failures,
    long localAnswers,
    long fallbackPermits,
    long statesLost,
    long statesRepaired,
    long outages) {}
