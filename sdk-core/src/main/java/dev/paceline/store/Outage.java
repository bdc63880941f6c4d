package dev.paceline.store;

import dev.failsafe.CircuitBreaker;
import dev.paceline.event.Event;
import dev.paceline.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the store is away: a circuit breaker that commands in a row open by failing, and that
 * only a heartbeat closes. Thread-safe.
 */
final class Outage {

  /*
   * When the store is back, workers notice one after the other. Whoever took from the shared schedule
   * at once would find the others' permits missing there, and send on top of them. So each worker
   * goes on at its share until as many workers as before send heartbeats, but charges each turn at
   * once; when the first one changes over, what all of them send is in the schedule.
   */

  private static final Logger log = LoggerFactory.getLogger(Outage.class);

  private static final int FAILURES_IN_A_ROW = 3;
  private static final long SHORTEST_HANDOVER_NANOS = 750_000_000L;
  private static final long LONGEST_HANDOVER_NANOS = 5_000_000_000L;
  private static final long SETTLING_NANOS = 500_000_000L;
  private static final int LONGEST_ERROR = 200;

  private final String store;
  private final TimeSource time;
  private final Events events;
  private final StoreCounters counters;
  private final CircuitBreaker<Object> breaker =
      CircuitBreaker.builder()
          .withFailureThreshold(FAILURES_IN_A_ROW)
          .withDelay(Duration.ofDays(36_500))
          .build();

  private final ReentrantLock changing = new ReentrantLock();
  private volatile boolean away;
  private volatile boolean handingOver;
  private volatile boolean everybodyIsBack;
  private volatile boolean settling;
  private volatile long changedOver;
  private volatile long everybodySince;
  private volatile long backSince;
  private final AtomicLong episode = new AtomicLong();
  private volatile long awaySince;
  private volatile long awaySinceEpochMicros;
  private volatile Runnable whenLost = () -> {};
  private volatile String why = "";
  private volatile String lastError = "";

  Outage(String store, TimeSource time, Events events, StoreCounters counters) {
    this.store = store;
    this.time = time;
    this.events = events;
    this.counters = counters;
  }

  /** Whether commands other than heartbeats are useless. */
  boolean away() {
    return away;
  }

  /** Whether permits come from this worker's share, as far as all groups are concerned. */
  boolean sharing(long now) {
    return away || (handingOver && !changesOver(now));
  }

  /** Once all are back for long enough, which they learn at about the same time. */
  private boolean changesOver(long now) {
    changing.lock();
    try {
      boolean over =
          everybodyIsBack
              ? now - everybodySince >= SHORTEST_HANDOVER_NANOS
              : now - backSince >= LONGEST_HANDOVER_NANOS;
      if (over && handingOver) {
        changedOver = now;
        settling = true;
        handingOver = false;
      }
      return over;
    } finally {
      changing.unlock();
    }
  }

  /** Whether this worker has only just changed over, and others may be about to. */
  boolean settles(long now) {
    if (settling && now - changedOver >= SETTLING_NANOS) {
      settling = false;
    }
    return settling;
  }

  /** As many workers as before the outage are counted. */
  void everybodyIsBack(long now) {
    if (!everybodyIsBack) {
      everybodySince = now;
      everybodyIsBack = true;
    }
  }

  /** How far the way back is, as far as this worker knows. */
  enum Return {
    /** There is no outage, or its end is over. */
    NONE,
    /** Other workers may still have to tell what they sent meanwhile. */
    SOME,
    /** All have told it. */
    ALL
  }

  Return back(long now) {
    return !sharing(now) ? Return.NONE : everybodyIsBack ? Return.ALL : Return.SOME;
  }

  /** Which outage this is, or was last: they are counted from 1. */
  long episode() {
    return episode.get();
  }

  /** Names who is told each time that the store, or the connection, is lost. */
  void whenLost(Runnable told) {
    whenLost = told;
  }

  void succeeded() {
    breaker.recordSuccess();
  }

  void failed(Throwable cause) {
    counters.failures.increment();
    lastError = describe(cause);
    breaker.recordException(cause);
    if (!away && breaker.isOpen()) {
      lost();
    }
  }

  private void lost() {
    changing.lock();
    try {
      if (away || !breaker.isOpen()) {
        return;
      }
      away(time.nanoTime(), lastError);
      away = true;
    } finally {
      changing.unlock();
    }
    counters.outages.increment();
    log.warn("{} does not answer ({}); calls are decided by the outage policy", store, why);
    whenLost.run();
    events.tell(new Event.StoreLost(why));
  }

  /**
   * The connection was lost for a moment, and perhaps the schedules with it. Where nobody had three
   * failures, some workers had none: all of them change over as after an outage, so that nobody
   * takes from a schedule what others have had and it has lost.
   */
  void interrupted() {
    changing.lock();
    try {
      long now = time.nanoTime();
      if (sharing(now) || settles(now)) {
        return;
      }
      away(now, "its connection was interrupted");
      comeBack(now);
    } finally {
      changing.unlock();
    }
    whenLost.run();
  }

  private void away(long now, String because) {
    awaySince = now;
    awaySinceEpochMicros = time.epochMicros();
    why = because;
    episode.incrementAndGet();
  }

  private void comeBack(long now) {
    backSince = now;
    everybodyIsBack = false;
    handingOver = true;
  }

  /** Whether it is not known yet that every worker is back. */
  boolean isUnsettled() {
    return away || (handingOver && !everybodyIsBack);
  }

  /** A heartbeat was answered; true if the store was away until now. */
  boolean probed(long now) {
    long lasted;
    changing.lock();
    try {
      breaker.recordSuccess();
      if (!away) {
        return false;
      }
      breaker.close();
      lasted = now - awaySince;
      comeBack(now);
      away = false;
    } finally {
      changing.unlock();
    }
    log.info("{} answers again after {} ms", store, lasted / 1_000_000);
    events.tell(new Event.StoreBack(Duration.ofNanos(lasted)));
    return true;
  }

  StoreHealth health(long now) {
    if (!sharing(now)) {
      return new StoreHealth(false, Optional.empty(), "", lastError);
    }
    Instant since = Instant.EPOCH.plus(awaySinceEpochMicros, ChronoUnit.MICROS);
    return new StoreHealth(true, Optional.of(since), why, lastError);
  }

  private static String describe(Throwable cause) {
    String message = cause.getMessage() == null ? "" : ": " + cause.getMessage();
    String text = (cause.getClass().getSimpleName() + message).replaceAll("\\p{Cntrl}+", " ");
    return text.length() > LONGEST_ERROR ? text.substring(0, LONGEST_ERROR) : text;
  }
}
