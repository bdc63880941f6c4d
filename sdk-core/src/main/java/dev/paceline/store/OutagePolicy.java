package dev.paceline.store;

/** What callers get while the shared store is away. */
public enum OutagePolicy {
  /** Each worker paces itself at its share of the limit, from the schedule it last saw. */
  LOCAL,
  /** Calls are refused at once. */
  CLOSED,
  /** Calls go out without pacing: only by explicit choice. */
  OPEN
}
