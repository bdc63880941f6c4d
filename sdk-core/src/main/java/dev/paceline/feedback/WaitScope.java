package dev.paceline.feedback;

/** Which calls a refusal holds back. */
public enum WaitScope {
  /** Those counted by the rule that the refused call matched. */
  RULE,
  /** Those to the same method and path; the rule's other calls go on. */
  ROUTE,
  /** All to the host: a global limit, or a content delivery network in front of the provider. */
  UPSTREAM,
  /** As {@link #ROUTE}, but caused by others on a shared resource: says nothing of our own rate. */
  SHARED
}
