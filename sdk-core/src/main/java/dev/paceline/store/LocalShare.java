package dev.paceline.store;

import dev.paceline.limit.GroupSchedule;
import dev.paceline.limit.Limit;
import dev.paceline.limit.Snapshot;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One group's schedule while its store is away: this worker's share of it, and what was sent by it.
 * It outlives the outage, so that the next one begins with what this one has charged. Instants are
 * microseconds of the local clock. Guarded by the mirror's lock.
 */
final class LocalShare {

  private final Share share;
  private final List<Limit> whole;
  private final GroupSchedule schedule;
  private final long[] most;
  private final long sentAt;
  private final long outage;
  final Ledger ledger;

  /**
   * The schedule of all workers as it was last seen.
   *
   * @param fleet its state
   * @param own what this worker reserved in it
   * @param last the reply that it is from
   * @param outage which outage it is for, from 1; 0 for a single failure
   */
  record Seen(GroupSchedule fleet, OwnCharges own, LastReply last, long outage) {}

  /**
   * A share of a schedule.
   *
   * @param earlier the share before; none of what it has charged is forgotten
   */
  LocalShare(Share share, Seen seen, @Nullable LocalShare earlier, long now) {
    GroupSchedule fleet = seen.fleet();
    this.share = share;
    this.outage = seen.outage();
    this.sentAt = seen.last().sentAt();
    this.whole = fleet.limits();
    this.schedule = new GroupSchedule(share.limits(whole));
    this.most = new long[whole.size()];
    Arrays.setAll(most, i -> schedule.limits().get(i).capacity());
    schedule.align(seen.last().wallOffset());
    schedule.restore(seen.own().atLeast(share.state(fleet, now, seen.last().lap())));
    schedule.guard(fleet.guard() * share.workers());
    if (earlier != null && earlier.whole.equals(whole)) {
      schedule.merge(earlier.of(share, now));
      this.ledger = earlier.ledger;
      if (seen.outage() != earlier.outage()) {
        ledger.beginOutage();
      }
    } else {
      this.ledger = new Ledger(whole);
    }
  }

  private Snapshot of(Share next, long now) {
    return next.equals(share)
        ? schedule.snapshot()
        : schedule.reconfigured(next.limits(whole), now).snapshot();
  }

  Share share() {
    return share;
  }

  /** Which state of the fleet's schedule it was made from. */
  long seen() {
    return sentAt;
  }

  /** Which outage it was made for; 0 for a single failure. */
  long outage() {
    return outage;
  }

  /** What an ask costs here at the most: a share may be less than a single call's cost. */
  private long[] capped(long[] cost) {
    long[] capped = cost;
    for (int i = 0; i < cost.length; i++) {
      if (cost[i] > most[i]) {
        if (capped == cost) {
          capped = cost.clone();
        }
        capped[i] = most[i];
      }
    }
    return capped;
  }

  long earliest(long from, long[] cost) {
    return schedule.earliest(from, capped(cost));
  }

  long earliestBehind(long from, long[] ahead, long[] cost) {
    return schedule.earliestBehind(from, ahead, capped(cost));
  }

  /** Reserves a run, and notes it as sent. */
  long[] run(long from, Ask ask) {
    long[] capped = capped(ask.cost());
    long[] starts = new long[ask.permits()];
    long first = schedule.earliest(from, capped);
    long start = first;
    int count = 0;
    while (count < starts.length && start - first <= ask.quantumMicros()) {
      schedule.take(start, ask.cost());
      ledger.sent(start, ask.cost());
      starts[count++] = start;
      start = schedule.earliest(start, capped);
    }
    return count == starts.length ? starts : Arrays.copyOf(starts, count);
  }

  void delay(long micros) {
    schedule.delay(micros);
  }

  void notBefore(long instant) {
    schedule.notBefore(instant);
  }

  void resumeAt(long until, long now) {
    schedule.resumeAt(until, now);
  }

  void settle(long start, long now, long[] delta) {
    schedule.adjust(start, now, delta);
    ledger.settled(now, delta);
  }

  void slow(int limit, long permits, long now, long until) {
    long part = permits / share.workers();
    long length = until - now;
    schedule.slow(limit, part <= 0 ? until : now, until, length, Math.max(1, part));
  }

  void guard(long micros) {
    schedule.guard(micros * share.workers());
  }

  /** Whether it says nothing that a new one would not. */
  boolean isSpent(long now) {
    long full = schedule.fullAt();
    return ledger.isEmpty() && (full == Long.MIN_VALUE || full - now <= 0);
  }
}
