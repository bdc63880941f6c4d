/**
 * Retries: which outcomes may be repeated, how long to wait, and who pays for it.
 *
 * <p>Everything that decides is pure: {@link dev.paceline.retry.RetryRules} classifies, {@link
 * dev.paceline.retry.FullJitter} draws delays, {@link dev.paceline.retry.RetryBudget} counts.
 * {@link dev.paceline.retry.RetrySession} puts them together for one logical call, and {@link
 * dev.paceline.retry.RetryDriver} runs it, blocking or not. Nothing here waits: the delay of a
 * retry is the earliest instant of the next permit.
 */
@NullMarked
package dev.paceline.retry;

import org.jspecify.annotations.NullMarked;
