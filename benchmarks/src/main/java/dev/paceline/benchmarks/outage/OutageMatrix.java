package dev.paceline.benchmarks.outage;

import dev.paceline.benchmarks.Row;
import dev.paceline.benchmarks.StallMeter;
import dev.paceline.limit.Limit;
import dev.paceline.redis.testing.FaultyProxy;
import dev.paceline.redis.testing.RedisSentinel;
import dev.paceline.redis.testing.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Four workers at full use of 200 a second, each fault in turn: whether the pace is kept, nobody is
 * refused, no decision takes long, and every call ends.
 *
 * <p>{@code java -cp benchmarks.jar dev.paceline.benchmarks.outage.OutageMatrix [seconds [FAULT
 * ...]]}
 */
public final class OutageMatrix {

  private static final int WORKERS = 4;
  private static final int CALLERS = 8;
  private static final int PER_SECOND = 200;
  private static final int BURST = 5;

  /** The most permits of one turn: what starts within 20 ms. */
  private static final int TURN = 4;

  private static final long AFTER_CHANGE = 1_000_000_000L;

  private final Fault fault;
  private final Duration lasting;
  private final StrictProvider provider = new StrictProvider(PER_SECOND, BURST);
  private final List<Long> changes = new ArrayList<>();

  private OutageMatrix(Fault fault, Duration lasting) {
    this.fault = fault;
    this.lasting = fault.lasting(lasting);
  }

  /** Prints a row for each fault, and exits with 1 if anything did not hold. */
  public static void main(String[] args) throws Exception {
    Duration lasting = Duration.ofSeconds(args.length > 0 ? Long.parseLong(args[0]) : 10);
    List<Row> rows = new ArrayList<>();
    for (Fault fault : Fault.values()) {
      if (args.length < 2 || List.of(args).contains(fault.name())) {
        rows.add(run(fault, lasting).row(fault));
      }
    }
    Row.print(rows);
    System.exit(rows.stream().allMatch(Row::reached) ? 0 : 1);
  }

  /**
   * What came of one fault.
   *
   * @param faults what did not hold; empty if everything did
   * @param goodput what was accepted, as a share of the limit
   * @param refused the share of requests that were
   * @param hung calls that did not end
   * @param errors that callers saw
   * @param slowestNanos the slowest decision, without what the machine held back
   * @param neededBurst the least burst with which the provider would have refused nobody
   * @param allowedBurst the limit's own, one turn a worker, and what the machine held back
   */
  record Outcome(
      List<String> faults,
      double goodput,
      double refused,
      long hung,
      long errors,
      long slowestNanos,
      double neededBurst,
      double allowedBurst) {

    Row row(Fault fault) {
      return new Row(
          "Redis: " + fault.name().toLowerCase(Locale.ROOT).replace('_', ' '),
          "goodput ≥ 90 %, ≤ 1 % refused, each decision within 100 ms, no error, no call hung",
          faults.isEmpty(),
          "%s, %s refused, slowest decision %d ms"
              .formatted(
                  Row.percent(goodput),
                  Row.percent(refused),
                  TimeUnit.NANOSECONDS.toMillis(slowestNanos)),
          String.join("; ", faults));
    }

    /** Whether what does not depend on the machine's speed holds. */
    boolean holdsInCounts() {
      return hung == 0
          && errors == 0
          && slowestNanos < 1_000_000_000L
          && neededBurst <= allowedBurst;
    }
  }

  /** Lets one fault come and go. */
  static Outcome run(Fault fault, Duration lasting) throws InterruptedException {
    if (fault.needsSentinel()) {
      try (RedisSentinel sentinel = RedisSentinel.start()) {
        return new OutageMatrix(fault, lasting).play(sentinel.primary(), sentinel.uri(), sentinel);
      }
    }
    try (RedisServer server = RedisServer.start()) {
      return new OutageMatrix(fault, lasting).play(server, "", null);
    }
  }

  private Outcome play(RedisServer server, String uri, @Nullable RedisSentinel sentinel)
      throws InterruptedException {
    List<FleetMember> fleet = new ArrayList<>();
    try (FaultyProxy proxy = FaultyProxy.before(server);
        StallMeter stalls = new StallMeter()) {
      Fault.Site site = new Fault.Site(server, proxy, sentinel, lasting);
      Limit limit = Limit.of(PER_SECOND).per(Duration.ofSeconds(1)).burst(BURST);
      String redis = uri.isEmpty() ? proxy.uri() : uri;
      for (int i = 0; i < WORKERS; i++) {
        fleet.add(new FleetMember(redis, limit, WORKERS, provider, stalls));
      }
      fleet.forEach(member -> member.start(CALLERS));
      changes.add(System.nanoTime());
      rest(lasting.dividedBy(2).plusSeconds(1));
      for (int i = 0; i < fault.times(); i++) {
        changes.add(System.nanoTime());
        fault.begin(site);
        rest(lasting);
        changes.add(System.nanoTime());
        fault.end(site);
        rest(lasting);
      }
      long end = System.nanoTime();
      long hung = 0;
      for (FleetMember member : fleet) {
        hung += member.stop();
      }
      return judge(fleet, end, hung, stalls.longestNanos());
    } finally {
      fleet.forEach(FleetMember::close);
    }
  }

  private static void rest(Duration time) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(time.toNanos());
  }

  private Outcome judge(List<FleetMember> fleet, long end, long hung, long stall) {
    long errors = fleet.stream().mapToLong(FleetMember::errors).sum();
    long slow = fleet.stream().mapToLong(FleetMember::slowDecisions).sum();
    long decisions = fleet.stream().mapToLong(FleetMember::decisions).sum();
    long slowest = fleet.stream().mapToLong(FleetMember::slowestNanos).max().orElse(0);
    double refused = (double) provider.refused() / (provider.accepted() + provider.refused());
    double goodput = goodput(end);
    List<String> faults = new ArrayList<>();
    expect(faults, goodput >= 0.9, "goodput");
    expect(faults, refused <= 0.01, "refusals");
    expect(faults, slow == 0, "slow decisions");
    expect(faults, hung == 0, "hung calls");
    expect(faults, errors == 0, "errors: " + fleet.get(0).lastError());
    System.out.printf(
        Locale.ROOT,
        "%-27s %s goodput %.1f %%, refused %.2f %%, %d decisions, slowest %d ms, %d over 100 ms, %d hung,"
            + " %d errors (longest stall of the machine %d ms)%n",
        fault,
        faults.isEmpty() ? "held:  " : "FAILED " + faults + ":",
        100 * goodput,
        100 * refused,
        decisions,
        TimeUnit.NANOSECONDS.toMillis(slowest),
        slow,
        hung,
        errors,
        TimeUnit.NANOSECONDS.toMillis(stall));
    if (!faults.isEmpty()) {
      System.out.println("  accepted in each second: " + seconds(end));
    }
    double allowed = BURST + WORKERS * TURN + PER_SECOND * stall / 1e9;
    return new Outcome(
        faults, goodput, refused, hung, errors, slowest, provider.neededBurst(), allowed);
  }

  private List<Long> seconds(long end) {
    List<Long> counts = new ArrayList<>();
    for (long at = changes.get(0); at - end < 0; at += 1_000_000_000L) {
      counts.add(provider.accepted(at, at + 1_000_000_000L));
    }
    return counts;
  }

  private static void expect(List<String> faults, boolean held, String what) {
    if (!held) {
      faults.add(what);
    }
  }

  /** What was accepted outside the first second of each change, as a share of the limit. */
  private double goodput(long end) {
    long accepted = 0;
    long nanos = 0;
    for (int i = 0; i < changes.size(); i++) {
      long from = changes.get(i) + AFTER_CHANGE;
      long until = i + 1 < changes.size() ? changes.get(i + 1) : end;
      if (until - from > 0) {
        accepted += provider.accepted(from, until);
        nanos += until - from;
      }
    }
    return accepted / (PER_SECOND * nanos / 1e9);
  }
}
