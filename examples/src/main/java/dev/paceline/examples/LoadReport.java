package dev.paceline.examples;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paceline.Stats;
import dev.paceline.retry.StopReason;
import dev.paceline.store.StoreStats;
import java.time.Duration;
import java.util.function.ToLongFunction;

/** What a load came to, as one JSON object; counts from when it is made. */
final class LoadReport {
  private static final StoreStats NONE = new StoreStats(0, 0, 0, 0, 0, 0, 0);

  private final LoadClient client;
  private final Stats before;
  private final long sentBefore;

  LoadReport(LoadClient client) {
    this.client = client;
    this.before = client.paceline().stats();
    this.sentBefore = client.sent();
  }

  String line(Tally tally, Duration elapsed) {
    Stats now = client.paceline().stats();
    ObjectNode report = tally.calls();
    report.put("attempts", client.sent() - sentBefore);
    report.put("retries", now.retries() - before.retries());
    report.set("refused", tally.refused());
    report.set("not_retried", notRetried(now));
    report.set("errors", tally.errors());
    report.set("wait_ms", tally.waits());
    report.put("elapsed_ms", Json.tenths(elapsed.toNanos() / 1e6));
    report.set("store", store(now));
    return Json.line(report);
  }

  private ObjectNode notRetried(Stats now) {
    return Json.object()
        .put("budget", notRetried(now, StopReason.BUDGET))
        .put("attempts", notRetried(now, StopReason.ATTEMPTS))
        .put("not_idempotent", notRetried(now, StopReason.NOT_IDEMPOTENT))
        .put("deadline", notRetried(now, StopReason.DEADLINE));
  }

  private long notRetried(Stats now, StopReason reason) {
    return now.notRetried().getOrDefault(reason, 0L) - before.notRetried().getOrDefault(reason, 0L);
  }

  private ObjectNode store(Stats now) {
    return Json.object()
        .put("commands", since(now, StoreStats::commands))
        .put("failures", since(now, StoreStats::failures))
        .put("fallback_permits", since(now, StoreStats::fallbackPermits))
        .put("state_lost", since(now, StoreStats::statesLost));
  }

  private long since(Stats now, ToLongFunction<StoreStats> count) {
    return count.applyAsLong(now.store().orElse(NONE))
        - count.applyAsLong(before.store().orElse(NONE));
  }
}
