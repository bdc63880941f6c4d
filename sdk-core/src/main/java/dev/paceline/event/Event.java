package dev.paceline.event;

import java.time.Duration;

/**
 * Something that happened to a call, a schedule or the store.
 *
 * <p>{@code group} names a schedule as {@code upstream/owner/rule}; an owner made from a credential
 * is its fingerprint, so no event carries a secret.
 */
public sealed interface Event {

  /** A permit was handed to a caller after {@code waited}. */
  record PermitGranted(String group, Duration waited) implements Event {}

  /** A caller began to wait; {@code expected} is the least wait known then. */
  record WaitBegan(String group, Duration expected) implements Event {}

  /** A caller was refused. */
  record Refused(String group, RefusalReason reason, Duration needed) implements Event {}

  /** A request went out on the wire; {@code attempt} counts from 1. */
  record Attempted(String upstream, int attempt) implements Event {}

  /** A failed attempt will be repeated, not before {@code delay} from now. */
  record RetryPlanned(String upstream, int attempt, Duration delay, String cause)
      implements Event {}

  /** A failed attempt is not repeated; {@code why} is a stop reason's name in lower case. */
  record RetryRefused(String upstream, int attempts, String why) implements Event {}

  /** Nobody calls for {@code lasting}; learned from a response here, or {@code remote}. */
  record CooldownBegan(String group, Duration lasting, boolean remote) implements Event {}

  /** A cooldown was ended by hand. */
  record CooldownCleared(String group) implements Event {}

  /** The guard added to the emission interval has changed. */
  record GuardChanged(String group, Duration guard) implements Event {}

  /** A limit was learned from refusals, or has moved. */
  record LimitLearned(String group, double permitsPerSecond) implements Event {}

  /** The shared store stopped answering. */
  record StoreLost(String cause) implements Event {}

  /** The shared store answers again, after {@code away}. */
  record StoreBack(Duration away) implements Event {}

  /** The shared store had forgotten a schedule, and it was restored from this worker's floor. */
  record StateLost(String group) implements Event {}

  /** The shared store held a value that is no schedule, or its clock stepped. */
  record StateRepaired(String group, String what) implements Event {}
}
