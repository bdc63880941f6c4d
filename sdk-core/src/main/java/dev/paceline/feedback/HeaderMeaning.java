package dev.paceline.feedback;

/** How the value of a header field is read. Waits round up to whole milliseconds. */
public enum HeaderMeaning {
  /** The quota of the window: a number, or a list of numbers and of policies such as 100;w=60. */
  LIMIT,
  /** What is left: a number, rounded down; -1 is unknown. */
  REMAINING,
  /** A number with thousands commas that is left. */
  REMAINING_GROUPED,
  /** When more is available: by magnitude seconds from now, epoch seconds or epoch milliseconds. */
  RESET,
  /** Seconds until more is available. */
  RESET_AFTER,
  /** Milliseconds until more is available. */
  RESET_MILLIS,
  /** A JavaScript date such as Tue Feb 16 2021 09:02:42 GMT+0100 at which more is available. */
  RESET_SCRIPT_DATE,
  /** The window's length in milliseconds. */
  WINDOW_MILLIS,
  /** A number used, of a quota not told. */
  USED,
  /** The fraction used, 0.92 for 92 percent. */
  USED_FRACTION,
  /** Used and limit, such as 32/40. */
  USED_OF_LIMIT,
  /**
   * Named pairs of used and limit, such as api-usage=18/5000; per-app-api-usage=17/250(appName=x).
   */
  USED_OF_LIMIT_LIST,
  /** Names with what is left, such as Microsoft.Compute/HighCostGet3Min;159. */
  REMAINING_LIST,
  /** Words with numbers, such as total=100; remaining=99; resets=41. */
  NAMED_COUNTS,
  /** Policies such as b=per_hour;q=100;r=90;t=3600. */
  QUOTA_LIST,
  /** A JSON object of percentages used. */
  USAGE_JSON,
  /** The RateLimit field of the IETF draft, as a List or, of draft 07, as a Dictionary. */
  QUOTA_FIELD,
  /** The RateLimit-Policy field of the IETF draft. */
  POLICY_FIELD,
  /** The Retry-After field: seconds, a date, or a duration. */
  WAIT,
  /** A wait in milliseconds. */
  WAIT_MILLIS,
  /** A wait as in Retry-After that counts only where neither of the two above is valid. */
  WAIT_ALIAS,
  /** The name of the bucket that counted the request. */
  BUCKET_NAME,
  /** A value compared with the {@link HeaderSignal}s. */
  SIGNAL,
  /** Not read, although the standard dialect would. */
  NOTHING
}
