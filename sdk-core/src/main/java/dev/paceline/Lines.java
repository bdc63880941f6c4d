package dev.paceline;

import dev.paceline.event.RefusalReason;
import dev.paceline.time.TimeSource;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what is refused and what is learned: of each kind at most one line in ten seconds, with how
 * many were left out since. So the first of a trouble is seen, and none fills a log. Thread-safe.
 */
final class Lines {

  private static final Logger log = LoggerFactory.getLogger(Paceline.class);

  private static final long EVERY_NANOS = 10_000_000_000L;

  private final TimeSource time;
  private final ConcurrentHashMap<String, Kind> kinds = new ConcurrentHashMap<>();

  private static final class Kind {
    private final AtomicLong last;
    private final LongAdder leftOut = new LongAdder();

    Kind(long last) {
      this.last = new AtomicLong(last);
    }
  }

  Lines(TimeSource time) {
    this.time = time;
  }

  /** A caller is refused. What the application itself ended is no trouble. */
  <T extends PacelineException> T refused(RefusalReason reason, T refusal) {
    if (reason != RefusalReason.CANCELLED && reason != RefusalReason.CLOSED) {
      line("refused " + reason, log::warn, refusal::getMessage);
    }
    return refusal;
  }

  void budgetExhausted(String upstream) {
    line(
        "budget",
        log::warn,
        () ->
            upstream
                + ": the retry budget is exhausted; failures go to the caller until calls succeed again");
  }

  void cooldown(String group, Duration lasting) {
    line(
        "cooldown",
        log::info,
        () -> "%s: the provider asks to wait %s".formatted(group, Refusals.seconds(lasting)));
  }

  void learned(String group, double perSecond) {
    line(
        "learned",
        log::info,
        () -> String.format(Locale.ROOT, "%s: learned a limit of %.2f a second", group, perSecond));
  }

  void guard(String group, Duration guard) {
    line(
        "guard",
        log::info,
        () ->
            guard.isZero()
                ? group + ": refusals have ended, and so has the guard"
                : String.format(
                    Locale.ROOT,
                    "%s: calls are refused although the limit is kept; a guard of %.3f ms is added to each interval",
                    group,
                    guard.toNanos() / 1e6));
  }

  private void line(String name, Consumer<String> level, Supplier<String> text) {
    long now = time.nanoTime();
    Kind kind = kinds.get(name);
    if (kind == null) {
      kind = kinds.computeIfAbsent(name, n -> new Kind(now - EVERY_NANOS));
    }
    long last = kind.last.get();
    if (now - last < EVERY_NANOS || !kind.last.compareAndSet(last, now)) {
      kind.leftOut.increment();
      return;
    }
    long before = kind.leftOut.sumThenReset();
    level.accept(
        before == 0 ? text.get() : text.get() + " (and %d like it before)".formatted(before));
  }
}
