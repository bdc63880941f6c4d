package dev.paceline.store;

import java.time.Duration;

/**
 * What a store knows of a group now.
 *
 * @param remaining whole permits that could start at once, the least over all limits
 * @param reservedAhead how far ahead the schedule is reserved; zero if a permit could start now
 * @param cooldown how long the cooldown still lasts; zero if there is none
 * @param guard what is added to each interval
 * @param workers how many workers share the schedule
 */
public record GroupView(
    long remaining, Duration reservedAhead, Duration cooldown, Duration guard, int workers) {}
