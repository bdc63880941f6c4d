package dev.paceline.store;

import dev.paceline.limit.Algorithm;
import dev.paceline.limit.GroupSchedule;
import dev.paceline.limit.Limit;
import dev.paceline.limit.LimitState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * What was sent of one group while its store was away, to be charged when it is back. Instants are
 * microseconds of the local clock. Bounded, whatever the outage's length. Guarded by the mirror's
 * lock.
 *
 * <p>A bucket is charged all of it from the start of the outage: each worker's part is added to the
 * others', and together they make up for the time that has passed. A window is only charged what
 * still counts in it, at about the instants at which it was sent.
 */
final class Ledger {

  private static final int SPANS = 16;
  private static final long SOON_MICROS = 1_000_000L;

  private final List<Limit> limits;
  private final long spanMicros;

  private boolean any;
  private boolean begun;
  private long first;
  private long last;
  private boolean told;
  private final long[] total;
  private final long[] mayBeCharged;
  private final Deque<Span> spans = new ArrayDeque<>();

  private record Span(long at, long[] cost) {}

  Ledger(List<Limit> limits) {
    this.limits = limits;
    this.total = new long[limits.size()];
    this.mayBeCharged = new long[limits.size()];
    long longest = 0;
    for (Limit limit : limits) {
      if (!limit.algorithm().hasBurst()) {
        longest = Math.max(longest, limit.periodMicros());
      }
    }
    this.spanMicros = longest / SPANS;
  }

  boolean isEmpty() {
    return !any;
  }

  /** Since when something is to be charged; meaningless if nothing is. */
  long since() {
    return first;
  }

  /** When the first of what {@link #take} has left is to be charged; meaningless if it is empty. */
  long due() {
    Span next = spans.peekFirst();
    return next == null ? first : next.at() - SOON_MICROS;
  }

  /** Whether the first of an outage is still to be told. */
  boolean isUntold() {
    return !told;
  }

  void sent(long at, long[] cost) {
    any = true;
    if (!begun) {
      begun = true;
      first = at;
      last = at;
    }
    last = Math.max(last, at);
    boolean windows = false;
    for (int i = 0; i < total.length; i++) {
      total[i] += cost[i];
      windows |= !limits.get(i).algorithm().hasBurst() && cost[i] > 0;
    }
    if (windows) {
      add(at, cost);
    }
  }

  /**
   * An ask that was not answered, though others are. It was probably executed: then what it
   * reserved is charged already and nobody uses it, so it pays for what is sent instead.
   */
  void mayBeCharged(Ask ask) {
    for (int i = 0; i < total.length; i++) {
      mayBeCharged[i] += ask.cost()[i] * (ask.permits() + ask.ahead());
    }
  }

  /** An outage begins. Where nothing is answered, nothing is known to have been executed. */
  void beginOutage() {
    begun = any;
    told = false;
    Arrays.fill(mayBeCharged, 0);
  }

  private void add(long at, long[] cost) {
    Span newest = spans.peekLast();
    if (newest == null || at - newest.at() > spanMicros) {
      newest = new Span(at, new long[total.length]);
      spans.addLast(newest);
      // A sliding counter still counts in the window after the one in which it was charged.
      if (spans.size() > 2 * SPANS + 1) {
        spans.removeFirst();
      }
    }
    for (int i = 0; i < total.length; i++) {
      newest.cost()[i] += cost[i];
    }
  }

  /** What a permit costs was corrected. */
  void settled(long at, long[] delta) {
    long[] more = new long[delta.length];
    boolean charges = false;
    Span newest = spans.peekLast();
    for (int i = 0; i < delta.length; i++) {
      more[i] = Math.max(0, delta[i]);
      charges |= delta[i] > 0;
      if (delta[i] < 0) {
        total[i] = Math.max(0, total[i] + delta[i]);
        if (newest != null) {
          newest.cost()[i] = Math.max(0, newest.cost()[i] + delta[i]);
        }
      }
    }
    if (charges) {
      sent(at, more);
    }
  }

  /**
   * All that is to be charged by now; what is left is for windows that have not begun. To charge
   * that would end the window before them for everybody.
   *
   * @param back how far the way back is: until all are back, what is sent next also counts from the
   *     outage's start. If it were charged at its own instant, the schedule would move up to there,
   *     and other workers' parts of the time before would be added behind it. Once all have told
   *     their parts it is, for permits that are still to come must not count as idle time before.
   */
  List<Change> take(long now, long wallOffset, Outage.Return back) {
    boolean goesOn = back != Outage.Return.NONE;
    if (!any) {
      clear(back);
      return List.of();
    }
    List<Change> charges = new ArrayList<>(1 + spans.size());
    long[] buckets = new long[total.length];
    boolean charged = false;
    for (int i = 0; i < total.length; i++) {
      long unpaid = Math.max(0, total[i] - mayBeCharged[i]);
      buckets[i] = limits.get(i).algorithm().hasBurst() ? unpaid : 0;
      charged |= buckets[i] > 0;
    }
    if (charged) {
      // Only an outage's whole can meet a schedule that somebody has moved up to now before it.
      boolean whole = goesOn && !told;
      charges.add(
          new Change.Charge(now - first, whole ? now - last : Change.Charge.IN_FULL, buckets));
    }
    List<Span> later = new ArrayList<>();
    for (Span span : spans) {
      boolean soon = back != Outage.Return.SOME && span.at() - now <= SOON_MICROS;
      if (!soon && isForLater(span, now, wallOffset)) {
        later.add(span);
      } else {
        addIfItCounts(span, now, wallOffset, charges);
      }
    }
    clear(back);
    spans.addAll(later);
    any = !later.isEmpty();
    return charges;
  }

  /**
   * Whether it is for a window that has not begun. A schedule never goes back to an earlier window,
   * so other workers' parts of this one must be charged first.
   */
  private boolean isForLater(Span span, long now, long wallOffset) {
    boolean later = false;
    for (Limit limit : limits) {
      later |=
          limit.algorithm() == Algorithm.FIXED_WINDOW
              && span.at() > now
              && windowOf(limit, span.at(), wallOffset) != windowOf(limit, now, wallOffset);
    }
    return later;
  }

  private void addIfItCounts(Span span, long now, long wallOffset, List<Change> charges) {
    long[] cost = new long[total.length];
    boolean charged = false;
    for (int i = 0; i < cost.length; i++) {
      Limit limit = limits.get(i);
      boolean counts = !limit.algorithm().hasBurst() && counts(limit, span.at(), now, wallOffset);
      cost[i] = counts ? span.cost()[i] : 0;
      charged |= cost[i] > 0;
    }
    if (charged) {
      charges.add(new Change.Charge(now - span.at(), now - span.at(), cost));
    }
  }

  private static boolean counts(Limit limit, long at, long now, long wallOffset) {
    return switch (limit.algorithm()) {
      case FIXED_WINDOW ->
          at > now || windowOf(limit, at, wallOffset) == windowOf(limit, now, wallOffset);
      case SLIDING_WINDOW_COUNTER -> now - at < 2 * limit.periodMicros();
      default -> now - at < limit.periodMicros();
    };
  }

  /** The start of the window that an instant lies in: a schedule used there says so. */
  private static long windowOf(Limit limit, long at, long wallOffset) {
    GroupSchedule probe = new GroupSchedule(List.of(limit));
    probe.align(wallOffset);
    probe.take(at, new long[] {1});
    LimitState state = probe.snapshot().limits().get(0);
    return state instanceof LimitState.Window window ? window.startMicros() : at;
  }

  private void clear(Outage.Return back) {
    any = false;
    begun &= back == Outage.Return.SOME;
    told = back != Outage.Return.NONE;
    Arrays.fill(total, 0);
    Arrays.fill(mayBeCharged, 0);
    spans.clear();
  }

  /**
   * Notes again what a command charged that failed, and may have been executed. Of buckets only the
   * last burst is noted: an older debt has been paid by time, and charged twice it would only stall
   * the fleet.
   *
   * @param now when the command was sent
   */
  void unsent(Change.Charge charge, long now) {
    long[] cost = charge.cost().clone();
    boolean buckets = false;
    double kept = 0;
    for (int i = 0; i < cost.length; i++) {
      if (limits.get(i).algorithm().hasBurst() && cost[i] > 0) {
        buckets = true;
        long most = Math.min(cost[i], limits.get(i).burst());
        kept = Math.max(kept, (double) most / cost[i]);
        cost[i] = most;
      }
    }
    long at = now - (buckets ? (long) (charge.agoMicros() * kept) : charge.agoMicros());
    sent(at, cost);
    first = Math.min(first, at);
    if (charge.lastAgoMicros() != Change.Charge.IN_FULL) {
      last = Math.max(last, now - charge.lastAgoMicros());
      told = false;
    }
  }
}
