package dev.paceline.feedback;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tells a reading in plain words: what would be waited for, and why. */
public final class Explanation {

  private Explanation() {}

  /**
   * Returns sentences, the decision first.
   *
   * @param status the response's status
   */
  public static List<String> of(int status, Reading reading) {
    List<String> sentences = new ArrayList<>();
    sentences.add(refusal(status, reading));
    sentences.add(wait(reading));
    if (reading.throttled() && reading.effectiveWait().isPresent()) {
      sentences.add(scope(reading.scope()));
    }
    if (reading.retryForbidden()) {
      sentences.add("It would not send the request again: the provider says that it cannot pass.");
    } else if (reading.kind() == ThrottleKind.QUOTA_EXHAUSTED) {
      sentences.add("It would not send the request again by itself: the call fails at once.");
    }
    for (QuotaWindow window : reading.windows()) {
      sentences.add(quota(window));
    }
    if (reading.ignored() > 0) {
      sentences.add(
          reading.ignored() == 1
              ? "One field was malformed or not believed, and was ignored."
              : reading.ignored() + " fields were malformed or not believed, and were ignored.");
    }
    return sentences;
  }

  private static String refusal(int status, Reading reading) {
    return switch (reading.kind()) {
      case NONE -> "Status " + status + " is no refusal because of a limit.";
      case SHORT -> "Status " + status + " is a refusal: too many requests, or too much load.";
      case QUOTA_EXHAUSTED ->
          "Status " + status + " is a refusal: the quota of a day or a plan is spent.";
      case CONCURRENCY -> "Status " + status + " is a refusal: too many requests at the same time.";
    };
  }

  private static String wait(Reading reading) {
    Optional<Duration> wait = reading.effectiveWait();
    if (wait.isEmpty()) {
      return reading.throttled()
          ? "The response tells no wait: the SDK would back off by itself."
          : spent(reading);
    }
    if (wait.get().isZero()) {
      return "The response allows the next request at once; a retry would back off by itself.";
    }
    String what = "The SDK would wait " + plain(wait.get()) + " because ";
    if (reading.retryAfter().isPresent()) {
      return what + "the response asks for it.";
    }
    boolean byReset =
        reading.windows().stream()
            .anyMatch(window -> window.exhausted() && window.reset().equals(wait));
    return what
        + (byReset
            ? "a quota is spent and more of it is available then."
            : "the response tells nothing and the profile advises it.");
  }

  private static String spent(Reading reading) {
    for (QuotaWindow window : reading.windows()) {
      if (window.exhausted() && window.countsRequests() && window.reset().isPresent()) {
        return "The request passed, but the SDK would hold the next one "
            + plain(window.reset().get())
            + ": the quota '"
            + window.name()
            + "' is spent.";
      }
    }
    return "The SDK would not wait because of it.";
  }

  private static String scope(WaitScope scope) {
    return switch (scope) {
      case RULE -> "It would hold the calls that the matched rule counts.";
      case ROUTE -> "It would hold the calls to the same method and path, and no others.";
      case UPSTREAM -> "It would hold all calls to the host.";
      case SHARED ->
          "It would hold the calls to the same method and path; others caused the refusal.";
    };
  }

  private static String quota(QuotaWindow window) {
    StringBuilder text = new StringBuilder("Quota '").append(window.name()).append("': ");
    if (window.left().isPresent()) {
      text.append(number(window.left().get()));
      window.limit().ifPresent(limit -> text.append(" of ").append(number(limit)));
      text.append(' ').append(window.unit()).append(" left");
    } else if (window.limit().isPresent()) {
      text.append(number(window.limit().get())).append(' ').append(window.unit());
    } else {
      text.append("how many ").append(window.unit()).append(" are left is not told");
    }
    window.window().ifPresent(length -> text.append(", per ").append(plain(length)));
    window.reset().ifPresent(reset -> text.append(", more in ").append(plain(reset)));
    return text.append('.').toString();
  }

  private static String number(BigDecimal value) {
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
  }

  /** Returns such as {@code 1 h 30 min} or {@code 0.12 s}. */
  static String plain(Duration duration) {
    if (duration.compareTo(Duration.ofMinutes(1)) < 0) {
      return number(BigDecimal.valueOf(duration.toMillis(), 3)) + " s";
    }
    StringBuilder text = new StringBuilder();
    append(text, duration.toDays(), "d");
    append(text, duration.toHoursPart(), "h");
    append(text, duration.toMinutesPart(), "min");
    long millis = duration.toSecondsPart() * 1000L + duration.toMillisPart();
    if (millis > 0) {
      text.append(' ').append(number(BigDecimal.valueOf(millis, 3))).append(" s");
    }
    return text.substring(1);
  }

  private static void append(StringBuilder text, long count, String unit) {
    if (count > 0) {
      text.append(' ').append(count).append(' ').append(unit);
    }
  }
}
