package dev.paceline.pace;

import dev.paceline.event.RefusalReason;
import dev.paceline.store.Ask;
import dev.paceline.store.Group;
import dev.paceline.store.Reply;
import dev.paceline.store.ScheduleStore;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a pacer knows of one group, and every decision on it: who gets the permit that falls due,
 * for whom it is too late, whether to ask the store, and when to look again. Takes the time as an
 * argument; guarded by the pacer's lock.
 */
final class Lane {

  private Group group;
  private final ScheduleStore store;
  private final Pace pace;
  private long validity;

  private final WaitQueue queue;
  private final Gate gate;
  private final DeadlineHeap deadlines = new DeadlineHeap();
  private final PermitRun permits = new PermitRun();
  private final Ahead ahead;
  private final long[] reserved;
  final Lateness lateness = new Lateness();

  private boolean asking;
  private boolean cooling;
  private long cooldownUntil;
  private boolean backedOff;
  private long askNotBefore;
  private int workers = 1;

  Lane(Group group, ScheduleStore store, Pace pace, Gate gate) {
    this.group = group;
    this.gate = gate;
    this.store = store;
    this.pace = pace;
    this.ahead = new Ahead(pace);
    this.queue = new WaitQueue(group.limits().size());
    this.reserved = new long[group.limits().size()];
  }

  int queued() {
    return queue.size();
  }

  int reserved() {
    return permits.size() + ahead.count();
  }

  /** Takes a permit that was reserved for a caller like this one before it came. */
  boolean takeAhead(long[] cost, long now) {
    return ahead.take(cost, now);
  }

  /** From now on asks for a group of the same key with as many limits, which may be others. */
  void regroup(Group next, long intervalNanos) {
    group = next;
    ahead.drop();
    validity = Math.max(pace.quantumNanos(), intervalNanos);
  }

  boolean idle(long now) {
    dropExpired(now);
    return queue.isEmpty() && permits.isEmpty() && !asking && !lateness.pending();
  }

  /** Why a caller must not wait, or null if it may; fills in the wait that it would need. */
  @Nullable RefusalReason judge(Waiter waiter, long delayNanos, long now) {
    long wait = Math.max(delayNanos, expectedWait(waiter, now));
    waiter.needed = wait;
    if (wait == ScheduleStore.NEVER) {
      return RefusalReason.NEVER;
    }
    if (waiter.deadline - now < wait) {
      return RefusalReason.DEADLINE;
    }
    if (gate.isFull() && waiter.deadline - now <= 0) {
      return RefusalReason.IN_FLIGHT;
    }
    return delayNanos <= 0 && queue.size() >= pace.maxQueued() ? RefusalReason.QUEUE_FULL : null;
  }

  void add(Waiter waiter) {
    queue.add(waiter);
    deadlines.add(waiter);
  }

  void remove(Waiter waiter) {
    queue.remove(waiter);
    deadlines.remove(waiter);
  }

  /** The least wait that is known for a caller that enters now. */
  private long expectedWait(Waiter waiter, long now) {
    long wait = cooling ? Math.max(0, cooldownUntil - now) : 0;
    long[] ahead = new long[reserved.length];
    queue.costAhead(waiter.priority, waiter.age, ahead);
    return Math.max(wait, waitBehind(ahead, waiter.cost, now));
  }

  /** The least wait behind callers of cost {@code ahead}, some of whom have permits already. */
  private long waitBehind(long[] ahead, long[] cost, long now) {
    boolean covered = !permits.isEmpty();
    long[] unpaid = new long[ahead.length];
    for (int i = 0; i < ahead.length; i++) {
      covered &= ahead[i] + cost[i] <= reserved[i];
      unpaid[i] = Math.max(0, ahead[i] - reserved[i]);
    }
    return covered ? Math.max(0, permits.firstDue() - now) : store.waitNanos(group, unpaid, cost);
  }

  /** Refuses all callers whose permits are now known to come too late. */
  void refuseHopeless(long now, Outbox out) {
    Waiter first = deadlines.first();
    if (first == null || !lastIsLaterThan(first.deadline, now)) {
      return;
    }
    long[] ahead = new long[reserved.length];
    for (Waiter waiter : queue.snapshot()) {
      long wait = waitBehind(ahead, waiter.cost, now);
      wait = cooling ? Math.max(wait, cooldownUntil - now) : wait;
      if (wait == ScheduleStore.NEVER) {
        refuse(waiter, RefusalReason.NEVER, wait, out);
      } else if (waiter.deadline - now < wait) {
        refuse(waiter, RefusalReason.DEADLINE, wait, out);
      } else {
        WaitQueue.add(ahead, waiter.cost);
      }
    }
  }

  private boolean lastIsLaterThan(long deadline, long now) {
    long wait = waitBehind(queue.total(), new long[reserved.length], now);
    return (cooling && cooldownUntil - deadline > 0) || wait > deadline - now;
  }

  void refuseAll(RefusalReason why, Outbox out) {
    for (Waiter waiter : queue.snapshot()) {
      refuse(waiter, why, 0, out);
    }
  }

  private void refuse(Waiter waiter, RefusalReason why, long needed, Outbox out) {
    remove(waiter);
    waiter.refuse(why, needed);
    out.add(waiter);
  }

  /** Voids the permits that are due before {@code until}; their callers are still queued. */
  void coolUntil(long until, long now) {
    if (until - now <= 0 || (cooling && until - cooldownUntil <= 0)) {
      return;
    }
    cooling = true;
    cooldownUntil = until;
    ahead.drop();
    while (!permits.isEmpty() && permits.firstDue() - until < 0) {
      dropFirst();
    }
  }

  /** Ended early: the schedule moves to now, and so do the permits that are reserved behind it. */
  void cooldownCleared(long now) {
    if (cooling && cooldownUntil - now > 0) {
      permits.moveBy(now - cooldownUntil);
    }
    cooling = false;
    backedOff = false;
  }

  void moveBy(long nanos) {
    permits.moveBy(nanos);
    ahead.moveBy(nanos);
  }

  /** Takes up the answer to {@code ask}. */
  void replied(Ask ask, Reply reply, long now, Outbox out) {
    asking = false;
    workers = Math.max(1, reply.workers());
    if (reply.hasFigures()) {
      coolUntil(reply.cooldownUntil(), now);
    }
    switch (reply.kind()) {
      case RESERVED -> reserve(ask, reply, now);
      case TOO_LATE -> tooLate(reply.earliest(), now, out);
      case NEVER -> refuseCostlier(ask, now, out);
      case CLOSED -> refuseAll(RefusalReason.STORE_CLOSED, out);
      case OPEN -> grantAll(now, out);
    }
    refuseHopeless(now, out);
  }

  private void reserve(Ask ask, Reply reply, long now) {
    long[] starts = reply.starts();
    int wanted = Math.min(starts.length, ask.permits());
    for (int i = 0; i < wanted; i++) {
      if (!cooling || starts[i] - cooldownUntil >= 0) {
        keep(starts[i], ask.cost());
      }
    }
    if (starts.length > wanted && !cooling) {
      ahead.add(starts.length - wanted, starts[wanted], ask.cost(), now);
    }
  }

  /** Keeps a permit for the next caller. */
  void keep(long due, long[] cost) {
    permits.insert(due, cost);
    WaitQueue.add(reserved, cost);
  }

  /** Nobody of those asked for can wait so long; where nobody is refused, asks again later. */
  private void tooLate(long earliest, long now, Outbox out) {
    int before = queue.size();
    for (Waiter waiter : queue.snapshot()) {
      if (waiter.deadline - earliest < 0) {
        refuse(waiter, RefusalReason.DEADLINE, earliest - now, out);
      }
    }
    backOff(queue.size() == before, now);
  }

  private void refuseCostlier(Ask ask, long now, Outbox out) {
    int before = queue.size();
    for (Waiter waiter : queue.snapshot()) {
      if (Arrays.equals(waiter.cost, ask.cost())) {
        refuse(waiter, RefusalReason.NEVER, ScheduleStore.NEVER, out);
      }
    }
    backOff(queue.size() == before, now);
  }

  private void backOff(boolean needed, long now) {
    backedOff = needed;
    askNotBefore = now + pace.leadNanos();
  }

  private void grantAll(long now, Outbox out) {
    for (Waiter waiter : queue.snapshot()) {
      remove(waiter);
      waiter.grant(now, null);
      out.add(waiter);
    }
  }

  /** Does what is due now; returns the ask to send, if there is one. */
  @Nullable Ask step(long now, Outbox out) {
    dropExpired(now);
    handOut(now, out);
    expire(now, out);
    int uncovered = queue.size() - permits.size();
    if (asking || uncovered <= 0 || askAt(now) - now > 0) {
      return null;
    }
    int usable = gate.admits() - permits.size();
    if (usable <= 0) {
      return null;
    }
    asking = true;
    backedOff = false;
    return ask(Math.min(uncovered, usable), now);
  }

  private void dropExpired(long now) {
    while (!permits.isEmpty() && now - permits.firstDue() > validity) {
      dropFirst();
    }
    if (cooling && cooldownUntil - now <= 0) {
      cooling = false;
    }
  }

  private void dropFirst() {
    long[] cost = permits.firstCost();
    permits.removeFirst();
    for (int i = 0; i < reserved.length; i++) {
      reserved[i] -= cost[i];
    }
  }

  private void handOut(long now, Outbox out) {
    while (!permits.isEmpty() && permits.firstDue() - now <= 0) {
      if (!handOut(permits.firstDue(), permits.firstCost(), now, out)) {
        return;
      }
      dropFirst();
    }
    while (!queue.isEmpty() && ahead.isValid(now)) {
      if (!handOut(now, ahead.cost(), now, out)) {
        return;
      }
      ahead.remove();
    }
  }

  private boolean handOut(long due, long[] cost, long now, Outbox out) {
    Waiter waiter = queue.isEmpty() || !gate.open() ? null : queue.take(cost);
    if (waiter == null) {
      return false;
    }
    deadlines.remove(waiter);
    giveBackDifference(due, cost, waiter.cost);
    ahead.used(now);
    waiter.grant(due, gate.pass());
    out.add(waiter);
    return true;
  }

  private void giveBackDifference(long due, long[] permitCost, long[] cost) {
    if (permitCost == cost || Arrays.equals(permitCost, cost)) {
      return;
    }
    long[] delta = new long[cost.length];
    for (int i = 0; i < delta.length; i++) {
      delta[i] = cost[i] - permitCost[i];
    }
    store.settle(group, due, delta);
  }

  private void expire(long now, Outbox out) {
    for (Waiter first = deadlines.first();
        first != null && first.deadline - now <= 0;
        first = deadlines.first()) {
      RefusalReason why = gate.isFull() ? RefusalReason.IN_FLIGHT : RefusalReason.DEADLINE;
      refuse(first, why, expectedWait(first, now), out);
    }
  }

  private long askAt(long now) {
    long at = permits.isEmpty() ? now : permits.lastDue() - pace.leadNanos();
    return backedOff && askNotBefore - at > 0 ? askNotBefore : at;
  }

  /** An ask for the first callers without a permit that state the same cost. */
  private Ask ask(int uncovered, long now) {
    int skip = permits.size();
    long[] cost = reserved;
    int most = 0;
    int count = 0;
    long latest = 0;
    for (Waiter waiter : queue) {
      if (skip-- > 0) {
        continue;
      }
      if (count == 0) {
        cost = waiter.cost;
        most = Math.min(uncovered, most(cost));
      } else if (count >= most || !Arrays.equals(cost, waiter.cost)) {
        break;
      }
      latest = Math.max(latest, waiter.deadline - now);
      count++;
    }
    // The store counts what starts at the quantum's very end in; a turn does not.
    long quantum = Math.max(0, pace.quantumNanos() / 1_000 - 1);
    int expected = gate.isLimited() ? 0 : ahead.expected(cost, now);
    int more = Math.max(0, Math.min(expected, most(cost)) - count);
    return new Ask(group, cost, count, more, quantum, latest / 1_000, lateness.take());
  }

  private int most(long[] cost) {
    return Turn.most(Turn.intervalNanos(group.limits(), cost), workers);
  }

  /** How long until something is due, in nanoseconds; {@link Long#MAX_VALUE} for nothing. */
  long nextEvent(long now) {
    Waiter first = deadlines.first();
    if (first == null) {
      return Long.MAX_VALUE;
    }
    long wait = first.deadline - now;
    if (gate.isFull()) {
      return Math.max(0, wait);
    }
    if (!permits.isEmpty()) {
      wait = Math.min(wait, permits.firstDue() - now);
    }
    if (!asking && queue.size() > permits.size()) {
      wait = Math.min(wait, askAt(now) - now);
    }
    return Math.max(0, wait);
  }
}
