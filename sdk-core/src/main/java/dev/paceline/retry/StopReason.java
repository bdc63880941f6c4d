package dev.paceline.retry;

/** Why there was no further attempt. */
public enum StopReason {
  /** The provider did what was asked. */
  SUCCESS("success"),
  /** The same request would be answered the same way, or the caller's hook said no. */
  NOT_RETRYABLE("not retryable"),
  /** The provider may have acted on it, and doing so twice may do harm. */
  NOT_IDEMPOTENT("not idempotent: it may have been processed, and there is no idempotency key"),
  /** The body was sent and cannot be written again. */
  BODY_NOT_REPLAYABLE("the request body cannot be sent twice"),
  /** A day's or a plan's quota is spent. */
  QUOTA_EXHAUSTED("quota exhausted"),
  /** The provider said that a retry will not help. */
  RETRY_FORBIDDEN("the provider forbids a retry"),
  /** All attempts were made. */
  ATTEMPTS("attempts exhausted"),
  /** The next attempt would start after the deadline. */
  DEADLINE("deadline: the next attempt would start too late"),
  /** Too few successes to pay for more retries. */
  BUDGET("retry budget exhausted"),
  /** The upstream's circuit is open. */
  CIRCUIT_OPEN("circuit open"),
  /** The next attempt got no permit. */
  NOT_PERMITTED("the next attempt got no permit"),
  /** The caller cancelled, was interrupted, or its call timed out. */
  CANCELLED("cancelled");

  private final String phrase;

  StopReason(String phrase) {
    this.phrase = phrase;
  }

  /** A few words for people. */
  public String phrase() {
    return phrase;
  }
}
