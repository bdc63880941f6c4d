package dev.paceline.retry;

import java.io.IOException;

/**
 * A call failed and was not, or not any more, retried. The last attempt's own exception is the
 * cause; the message says which bound stopped it.
 */
public final class RetryStoppedException extends IOException {
  private static final long serialVersionUID = 1;

  private final transient RetryReport report;

  RetryStoppedException(RetryReport report, IOException cause) {
    super(report.sentence(), cause);
    this.report = report;
  }

  /** Rides along with an exception that reaches the caller as it is. */
  RetryStoppedException(RetryReport report) {
    super(report.sentence());
    this.report = report;
    setStackTrace(new StackTraceElement[0]);
  }

  /** How many attempts there were, and what stopped them. */
  public RetryReport report() {
    return report;
  }
}
