package dev.paceline.examples;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paceline.PacelineException;
import dev.paceline.event.RefusalReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** Counts what came of calls. Thread-safe. */
final class Tally {
  private final Waits waits = new Waits();
  private final Map<Integer, Long> statuses = new TreeMap<>();
  private final Map<String, Long> errors = new TreeMap<>();
  private final Map<RefusalReason, Long> refused = new EnumMap<>(RefusalReason.class);
  private long calls;
  private long ok;

  /** A call ended with a response. */
  void answered(CallRecord record, int status) {
    record.waited().ifPresent(waits::add);
    synchronized (this) {
      calls++;
      ok += status < 400 ? 1 : 0;
      statuses.merge(status, 1L, Long::sum);
    }
  }

  /** A call ended with an exception. */
  void failed(CallRecord record, Throwable failure) {
    record.waited().ifPresent(waits::add);
    synchronized (this) {
      calls++;
      errors.merge(failure.getClass().getSimpleName(), 1L, Long::sum);
      for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
        if (cause instanceof PacelineException refusal) {
          refused.merge(refusal.reason(), 1L, Long::sum);
          return;
        }
      }
    }
  }

  synchronized boolean hasErrors() {
    return !errors.isEmpty();
  }

  synchronized ObjectNode calls() {
    ObjectNode told = Json.object().put("calls", calls).put("ok", ok);
    ObjectNode byStatus = told.putObject("status");
    statuses.forEach((status, count) -> byStatus.put(Integer.toString(status), count));
    return told;
  }

  synchronized ObjectNode refused() {
    return Json.object()
        .put("deadline", refused(RefusalReason.DEADLINE))
        .put("queue_full", refused(RefusalReason.QUEUE_FULL))
        .put("quota_exhausted", refused(RefusalReason.QUOTA_EXHAUSTED))
        .put("store_closed", refused(RefusalReason.STORE_CLOSED))
        .put("circuit_open", refused(RefusalReason.CIRCUIT_OPEN));
  }

  private long refused(RefusalReason reason) {
    return refused.getOrDefault(reason, 0L);
  }

  synchronized ObjectNode errors() {
    ObjectNode told = Json.object();
    errors.forEach(told::put);
    return told;
  }

  ObjectNode waits() {
    Waits.Sorted sorted = waits.sorted();
    return Json.object()
        .put("p50", Json.tenths(sorted.millis(0.5)))
        .put("p99", Json.tenths(sorted.millis(0.99)))
        .put("max", Json.tenths(sorted.maxMillis()));
  }
}
