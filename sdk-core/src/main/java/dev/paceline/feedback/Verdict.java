package dev.paceline.feedback;

/** What a sign in a response, beside waits and counters, means. */
public enum Verdict {
  /** The request was refused because of a limit or load. */
  THROTTLED,
  /** Refused because the quota of a day or a plan is spent. */
  QUOTA_EXHAUSTED,
  /** Refused because too many were in flight. */
  CONCURRENCY,
  /** The refusal holds only the same method and path. */
  ROUTE,
  /** The refusal holds the whole host. */
  UPSTREAM,
  /** The refusal holds the route and was caused by others. */
  SHARED,
  /** A retry cannot succeed. */
  NO_RETRY,
  /**
   * An earlier attempt with the same idempotency key is still in progress: it may be sent again.
   */
  KEY_IN_USE
}
