package dev.paceline;

import dev.paceline.event.Event;
import dev.paceline.event.EventListener;
import dev.paceline.event.RefusalReason;
import dev.paceline.retry.CircuitOpenException;
import dev.paceline.retry.RetryReport;
import dev.paceline.retry.StopReason;
import java.time.Duration;

/**
 * What an adapter for an HTTP client tells of an upstream's calls: it is counted, and listeners
 * hear of it. Thread-safe.
 */
public final class Journal {

  private final String upstream;
  private final Engine engine;

  Journal(String upstream, Engine engine) {
    this.upstream = upstream;
    this.engine = engine;
  }

  private boolean heard() {
    return engine.events() != EventListener.none();
  }

  /** A request went out on the wire; {@code number} counts those of its call from 1. */
  public void attempted(int number) {
    engine.counters().add(Counters.Name.ATTEMPTS);
    if (heard()) {
      engine.events().on(new Event.Attempted(upstream, number));
    }
  }

  /**
   * A failed attempt is repeated.
   *
   * @param attempt the number of the attempt to come, from 2
   * @param delay it does not start earlier than this from now
   * @param cause the outcome that is repeated, in a few words without secrets
   */
  public void retrying(int attempt, Duration delay, String cause) {
    engine.counters().add(Counters.Name.RETRIES);
    if (heard()) {
      engine.events().on(new Event.RetryPlanned(upstream, attempt, delay, cause));
    }
  }

  /** A call has ended as the report says. */
  public void ended(RetryReport report) {
    switch (report.why()) {
      case SUCCESS, NOT_RETRYABLE, CANCELLED, NOT_PERMITTED -> {
        return;
      }
      case ATTEMPTS -> engine.counters().add(Counters.Name.NOT_RETRIED_ATTEMPTS);
      case BUDGET -> {
        engine.counters().add(Counters.Name.NOT_RETRIED_BUDGET);
        engine.lines().budgetExhausted(upstream);
      }
      case DEADLINE -> engine.counters().add(Counters.Name.NOT_RETRIED_DEADLINE);
      case NOT_IDEMPOTENT -> engine.counters().add(Counters.Name.NOT_RETRIED_NOT_IDEMPOTENT);
      default -> engine.counters().add(Counters.Name.NOT_RETRIED_OTHERWISE);
    }
    if (heard()) {
      engine.events().on(new Event.RetryRefused(upstream, report.attempts(), name(report.why())));
    }
  }

  private static String name(StopReason why) {
    return why.name().toLowerCase(java.util.Locale.ROOT);
  }

  /** The refusal of a call whose circuit is open; it is counted. */
  public CircuitRefusedException refused(CircuitOpenException open) {
    count(RefusalReason.CIRCUIT_OPEN, upstream, open.retryAfter());
    CircuitRefusedException refusal =
        new CircuitRefusedException(
            upstream,
            open.retryAfter(),
            "%s: the circuit is open after repeated failures; an attempt is let through in %s"
                .formatted(upstream, Refusals.seconds(open.retryAfter())));
    refusal.initCause(open);
    return engine.lines().refused(RefusalReason.CIRCUIT_OPEN, refusal);
  }

  /**
   * The refusal of a call whose provider asks for more patience than the call has; it is counted.
   *
   * @param scope what the call passed
   * @param wait as the provider told
   * @param longest what the call could wait
   */
  public WaitTooLongException tooLong(Scope scope, Duration wait, Duration longest) {
    String group = nameOf(scope);
    count(RefusalReason.DEADLINE, group, wait);
    return engine
        .lines()
        .refused(
            RefusalReason.DEADLINE,
            new WaitTooLongException(
                group,
                wait,
                "%s: the provider asks to wait %s, the call can wait %s. The response is closed; call again later"
                    .formatted(group, Refusals.seconds(wait), Refusals.seconds(longest))));
  }

  /**
   * The refusal of a call whose quota is spent; it is counted.
   *
   * @param scope what the call passed
   * @param wait until there is quota again, as the provider told; zero if it did not
   */
  public QuotaExhaustedException quotaExhausted(Scope scope, Duration wait) {
    String group = nameOf(scope);
    count(RefusalReason.QUOTA_EXHAUSTED, group, wait);
    String until = wait.isZero() ? "" : ", for another " + Refusals.seconds(wait);
    return engine
        .lines()
        .refused(
            RefusalReason.QUOTA_EXHAUSTED,
            new QuotaExhaustedException(
                group, wait, group + ": the provider says that the quota is spent" + until));
  }

  private String nameOf(Scope scope) {
    return scope.groups().isEmpty() ? upstream : scope.groups().get(0).key().toString();
  }

  private void count(RefusalReason reason, String group, Duration needed) {
    engine.counters().add(Counters.refused(reason));
    if (heard()) {
      engine.events().on(new Event.Refused(group, reason, needed));
    }
  }
}
