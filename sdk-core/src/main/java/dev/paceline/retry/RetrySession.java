package dev.paceline.retry;

import java.time.Duration;
import java.util.Optional;

/**
 * The attempts of one logical call: what came of them, and whether there is another.
 *
 * <p>A state machine without a clock, a thread or a wait, so that blocking and asynchronous calls
 * decide alike. For one thread at a time; another thread may follow where it happens after.
 *
 * <p>What stops a call is asked in a fixed order: the outcome itself, attempts, circuit, deadline,
 * and last the budget, so that only a retry that really follows is paid for.
 */
public final class RetrySession {

  /** A deadline that never comes. */
  public static final long NO_DEADLINE = Long.MAX_VALUE;

  private final UpstreamRetries upstream;
  private RequestTraits traits;
  private final long longestWaitNanos;
  private int attempts;
  private int retries;
  private long ticket = UpstreamBreaker.REFUSED;
  private Optional<Duration> lastWait = Optional.empty();
  private Verdict.Deliver end = Verdict.Deliver.SUCCESS;
  private String lastOutcome = "nothing sent yet";

  RetrySession(UpstreamRetries upstream, RequestTraits traits, long longestWaitNanos) {
    this.upstream = upstream;
    this.traits = traits;
    this.longestWaitNanos = longestWaitNanos;
  }

  /**
   * Lets the next attempt through the circuit breaker, before it costs a permit. {@link #after} or
   * {@link #notMade} must follow.
   *
   * @throws CircuitOpenException if the circuit is open
   */
  public void before() throws CircuitOpenException {
    if (upstream.breaker().isEmpty()) {
      return;
    }
    UpstreamBreaker breaker = upstream.breaker().get();
    ticket = breaker.tryAcquire();
    if (ticket == UpstreamBreaker.REFUSED) {
      end = new Verdict.Deliver(StopReason.CIRCUIT_OPEN, lastWait);
      throw breaker.refusal();
    }
  }

  /**
   * Asks the circuit breaker again, after the wait for a permit: of many callers who waited while
   * the circuit opened, none goes on. The permit can be given back.
   *
   * @throws CircuitOpenException if the circuit has opened since {@link #before}
   */
  public void beforeSending() throws CircuitOpenException {
    if (upstream.breaker().isPresent() && !upstream.breaker().get().stillLetsThrough(ticket)) {
      end = new Verdict.Deliver(StopReason.CIRCUIT_OPEN, lastWait);
      throw upstream.breaker().get().refusal();
    }
  }

  /** The attempt got no permit, so there was none; the call ends. */
  public void notMade() {
    leave(StopReason.NOT_PERMITTED);
  }

  /** The caller ended the call before the attempt was made. */
  public void cancelled() {
    leave(StopReason.CANCELLED);
  }

  private void leave(StopReason why) {
    upstream.breaker().ifPresent(breaker -> breaker.release(ticket));
    end = new Verdict.Deliver(why, lastWait);
  }

  /** A layer below sent the request again by itself: these count as attempts, too. */
  public void repeatedBelow(int requests) {
    if (requests > 0) {
      attempts = saturatedAdd(attempts, requests);
    }
  }

  /**
   * Judges an attempt.
   *
   * @param outcome what came of it
   * @param nowNanos now, on the monotonic clock
   * @param deadlineNanos the call's deadline on the same clock, or {@link #NO_DEADLINE}
   */
  public Verdict after(Outcome outcome, long nowNanos, long deadlineNanos) {
    attempts = saturatedAdd(attempts, 1);
    Optional<StopReason> stop = upstream.rules().stop(outcome, traits, opinion(outcome));
    if (stop.filter(why -> why == StopReason.SUCCESS).isPresent()) {
      upstream.budget().success();
      upstream.breaker().ifPresent(breaker -> breaker.record(ticket, true));
      end = Verdict.Deliver.SUCCESS;
      return end;
    }
    lastOutcome = describe(outcome);
    upstream.breaker().ifPresent(breaker -> tell(breaker, outcome, stop));
    Optional<Duration> wait = upstream.rules().providerWait(outcome);
    lastWait = wait;
    long left = deadlineNanos == NO_DEADLINE ? Long.MAX_VALUE : deadlineNanos - nowNanos;
    long room = Math.min(left, longestWaitNanos);
    Optional<StopReason> why = stop.isPresent() ? stop : bound(wait, room);
    if (why.isPresent()) {
      end = new Verdict.Deliver(why.get(), wait);
      return end;
    }
    FullJitter jitter = upstream.policy().jitter();
    int attempt = retries++;
    long delay =
        wait.isPresent()
            ? jitter.delayNanos(attempt, wait.get(), room, upstream.policy().random())
            : jitter.delayNanos(attempt, room, upstream.policy().random());
    return new Verdict.Retry(delay, wait);
  }

  /** The bound that stands against a retry of an outcome that allows one. */
  private Optional<StopReason> bound(Optional<Duration> wait, long room) {
    if (attempts >= upstream.policy().maxAttempts()) {
      return Optional.of(StopReason.ATTEMPTS);
    }
    if (upstream.breaker().filter(UpstreamBreaker::isOpen).isPresent()) {
      return Optional.of(StopReason.CIRCUIT_OPEN);
    }
    long least =
        wait.isPresent()
            ? FullJitter.saturatedNanos(wait.get())
            : upstream.policy().jitter().leastNanos();
    if (room <= 0 || least > room) {
      return Optional.of(StopReason.DEADLINE);
    }
    return upstream.budget().tryRetry() ? Optional.empty() : Optional.of(StopReason.BUDGET);
  }

  private RetryHook.Opinion opinion(Outcome outcome) {
    try {
      return upstream.policy().hook().opinion(outcome, traits);
    } catch (RuntimeException ignored) {
      // A user's mistake must not become an unchecked exception inside a call.
      return RetryHook.Opinion.NONE;
    }
  }

  private void tell(UpstreamBreaker breaker, Outcome outcome, Optional<StopReason> stop) {
    if (outcome instanceof Outcome.Responded responded) {
      if (upstream.rules().refused(responded)) {
        breaker.release(ticket);
      } else {
        breaker.record(ticket, responded.status() < 500);
      }
    } else if (stop.filter(why -> why == StopReason.CANCELLED).isPresent()
        || Failures.interceptors((Outcome.Failed) outcome)) {
      breaker.release(ticket);
    } else {
      breaker.record(ticket, false);
    }
  }

  /** The body turned out not to be there a second time. */
  public void bodyIsGone() {
    traits = traits.withOneShotBody();
  }

  /** Why there was no further attempt; meaningful as {@link #report} is, and costs nothing. */
  public StopReason stopped() {
    return end.why();
  }

  /** What the request allows. */
  public RequestTraits traits() {
    return traits;
  }

  /** Attempts so far, repeats by lower layers included. */
  public int attempts() {
    return attempts;
  }

  /** How it ended; meaningful once an attempt was delivered or not made. */
  public RetryReport report() {
    return new RetryReport(attempts, end.why(), end.providerWait(), sentence());
  }

  private String sentence() {
    StringBuilder text = new StringBuilder(160);
    int most = upstream.policy().maxAttempts();
    text.append("no further attempt after ").append(attempts).append(" of at most ").append(most);
    text.append(": ").append(end.why().phrase());
    if (end.why() == StopReason.BUDGET) {
      text.append(" (a retry costs 1 token, ").append(upstream.budget().balance()).append(" left)");
    }
    if (end.why() != StopReason.SUCCESS) {
      text.append("; last outcome: ").append(lastOutcome);
    }
    end.providerWait().ifPresent(wait -> text.append("; the provider asks to wait ").append(wait));
    return text.toString();
  }

  /** Without the exception's message, which may quote a URL with its credentials. */
  private static String describe(Outcome outcome) {
    if (outcome instanceof Outcome.Responded responded) {
      return "HTTP " + responded.status();
    }
    Outcome.Failed failed = (Outcome.Failed) outcome;
    return failed.cause().getClass().getSimpleName() + (failed.sent() ? "" : ", nothing sent");
  }

  private static int saturatedAdd(int a, int b) {
    return a > Integer.MAX_VALUE - b ? Integer.MAX_VALUE : a + b;
  }
}
