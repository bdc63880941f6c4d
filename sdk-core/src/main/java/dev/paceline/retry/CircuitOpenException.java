package dev.paceline.retry;

import java.io.IOException;
import java.time.Duration;

/** Nothing was sent: the upstream failed too often of late, and its circuit is open. */
public final class CircuitOpenException extends IOException {
  private static final long serialVersionUID = 1;

  private final String upstream;
  private final Duration retryAfter;

  CircuitOpenException(String upstream, Duration retryAfter) {
    super(
        "circuit open for upstream '"
            + upstream
            + "': it kept failing; the next attempt is let through in "
            + retryAfter.toMillis()
            + " ms");
    this.upstream = upstream;
    this.retryAfter = retryAfter;
  }

  /** The upstream's name. */
  public String upstream() {
    return upstream;
  }

  /** The time until an attempt is let through; zero while one is on its way. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
