package dev.paceline.event;

/** Why a caller did not get a permit. */
public enum RefusalReason {
  /** The permit would come after the caller's deadline. */
  DEADLINE,
  /** As many callers as configured wait already. */
  QUEUE_FULL,
  /** As many calls as may were in flight until the caller's deadline. */
  IN_FLIGHT,
  /** The cost exceeds what the limit can ever grant at once. */
  NEVER,
  /** The provider said that a quota is spent. */
  QUOTA_EXHAUSTED,
  /** The shared store is away and the upstream is configured to refuse then. */
  STORE_CLOSED,
  /** The upstream's circuit breaker is open. */
  CIRCUIT_OPEN,
  /** The caller cancelled its wait. */
  CANCELLED,
  /** Paceline was closed. */
  CLOSED
}
