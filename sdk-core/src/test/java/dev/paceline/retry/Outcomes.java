package dev.paceline.retry;

import dev.paceline.feedback.Reading;
import dev.paceline.feedback.ThrottleKind;
import dev.paceline.feedback.WaitScope;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Outcomes for tests. */
final class Outcomes {
  private Outcomes() {}

  static Outcome.Responded silent(int status) {
    return new Outcome.Responded(status, Reading.SILENT);
  }

  static Outcome.Responded toldToWait(int status, Duration wait) {
    return responded(status, Optional.of(wait), status == 429 || status == 503, false);
  }

  static Outcome.Responded throttled(int status, Optional<Duration> wait) {
    return responded(status, wait, true, false);
  }

  static Outcome.Responded throttled(int status, ThrottleKind kind) {
    return new Outcome.Responded(status, reading(Optional.empty(), kind, false, false));
  }

  static Outcome.Responded forbidden(int status) {
    return responded(status, Optional.empty(), status == 429, true);
  }

  static Outcome.Responded conflict(boolean keyInUse) {
    return new Outcome.Responded(
        409, reading(Optional.empty(), ThrottleKind.NONE, false, keyInUse));
  }

  static Outcome.Failed lost(IOException cause) {
    return new Outcome.Failed(cause, true, false);
  }

  static Outcome.Failed unconnected(IOException cause) {
    return new Outcome.Failed(cause, false, true);
  }

  private static Outcome.Responded responded(
      int status, Optional<Duration> wait, boolean throttled, boolean forbidden) {
    ThrottleKind kind = throttled ? ThrottleKind.SHORT : ThrottleKind.NONE;
    return new Outcome.Responded(status, reading(wait, kind, forbidden, false));
  }

  private static Reading reading(
      Optional<Duration> wait, ThrottleKind kind, boolean forbidden, boolean keyInUse) {
    return new Reading(
        wait,
        List.of(),
        kind != ThrottleKind.NONE,
        kind,
        WaitScope.RULE,
        forbidden,
        keyInUse,
        Optional.empty(),
        Optional.empty(),
        0);
  }
}
