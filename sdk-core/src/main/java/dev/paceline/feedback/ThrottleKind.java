package dev.paceline.feedback;

/** Why a provider refused. */
public enum ThrottleKind {
  /** It did not. */
  NONE,
  /** Too fast: waiting as told, or backing off, helps. */
  SHORT,
  /**
   * The quota of a day, a month or a plan is spent: a retry within a call's patience is useless.
   */
  QUOTA_EXHAUSTED,
  /** Too many at the same time: fewer in flight helps, a lower rate does not. */
  CONCURRENCY
}
