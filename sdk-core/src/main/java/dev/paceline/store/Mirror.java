package dev.paceline.store;

import dev.paceline.limit.GroupSchedule;
import dev.paceline.limit.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What this worker knows of one group's remote schedule: the last reply, the cooldown, what is
 * still to be told, and its share for when the store is away. Used under its own lock; once retired
 * it is used no more.
 *
 * <p>Instants are readings of the ticker, those inside schedules microseconds of the local clock.
 */
final class Mirror {

  private static final long REFUSAL_LASTS_NANOS = 1_000_000_000L;

  final GroupKey key;
  private final LocalClock clock;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private List<Limit> limits;
  private GroupSchedule schedule;
  private boolean retired;
  private final LastReply last;
  private final OwnCharges own;
  private final Cooldown cooldown = new Cooldown();
  private @Nullable LocalShare share;
  final Outbound outbound = new Outbound();
  final Failures failures = new Failures();
  boolean readAgain;
  boolean tellingSoon;
  boolean tellingKept;
  private int inFlight;
  private boolean differed;

  Mirror(Group group, LocalClock clock, RemoteClock remoteClock) {
    this.key = group.key();
    this.clock = clock;
    this.limits = group.limits();
    this.schedule = new GroupSchedule(limits);
    this.last = new LastReply(remoteClock, clock.wallOffset());
    this.own = new OwnCharges(limits);
    schedule.align(last.wallOffset());
  }

  /** Locks and applies the limits that the caller comes with; false if retired, then not locked. */
  boolean lockFor(Group group) {
    lock.lock();
    if (retired) {
      lock.unlock();
      return false;
    }
    if (limits != group.limits() && !limits.equals(group.limits())) {
      long now = clock.nanos();
      schedule = schedule.reconfigured(group.limits(), clock.micros(now), from(now));
      limits = group.limits();
      outbound.limitsAre(limits.size());
      own.limitsAre(limits);
      last.forgetState();
    }
    return true;
  }

  /** Locks as it is; false if retired, then not locked. */
  boolean lock() {
    lock.lock();
    if (retired) {
      lock.unlock();
      return false;
    }
    return true;
  }

  /** Locks it for whoever knows that it is not retired, having a command in flight or a timer. */
  void relock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  Group group() {
    return new Group(key, limits);
  }

  /** Retires it if it remembers nothing that a new one would not know. */
  boolean retireIfNew(long now) {
    lock.lock();
    try {
      long micros = clock.micros(now);
      retired |=
          inFlight == 0
              && !tellingSoon
              && !tellingKept
              && isFull(micros)
              && !cooldown.holds(now)
              && outbound.isEmpty()
              && (share == null || share.isSpent(micros));
      return retired;
    } finally {
      lock.unlock();
    }
  }

  private boolean isFull(long micros) {
    long full = schedule.fullAt();
    return full == Long.MIN_VALUE || full - micros <= 0;
  }

  /** A command for it is on its way. */
  void departed() {
    inFlight++;
  }

  /** The command has ended, as far as anyone waits for it. */
  void arrived() {
    inFlight--;
  }

  /** Whether this is the first time that another worker's limits differ. */
  boolean firstDifference() {
    boolean first = !differed;
    differed = true;
    return first;
  }

  /** The first instant at which anything may start, in the schedule's microseconds. */
  private long from(long now) {
    return clock.microsUp(cooldown.holds(now) ? cooldown.until() : now);
  }

  /** An answer that needs no command, because it is known here; null otherwise. */
  @Nullable Reply denied(Ask ask, int workers, long now) {
    if (schedule.earliest(clock.micros(now), ask.cost()) == GroupSchedule.NEVER) {
      return Reply.without(Reply.Kind.NEVER);
    }
    long earliest = from(now);
    if (last.isYoungerThan(REFUSAL_LASTS_NANOS, now)) {
      earliest = schedule.earliest(earliest, ask.cost());
    }
    return earliest - clock.microsUp(now) > ask.latestMicros()
        ? Reply.tooLate(clock.nanos(earliest), cooldown.until(now), workers)
        : null;
  }

  /**
   * What a command takes along.
   *
   * @param floor what is remembered of the remote schedule
   * @param changes all that the store has still to be told, taken out of here
   */
  record Load(Floor floor, List<Change> changes) {}

  /** The load of a command sent now. */
  Load load(List<Outgoing> outgoing, Outage.Return back, long now, long leadNanos) {
    List<Change> changes = Outbound.changes(outgoing, now);
    if (share == null || share.ledger.isEmpty()) {
      return new Load(last.floor(now, leadNanos, limits.size()), changes);
    }
    long micros = clock.micros(now);
    long ago = Math.max(0, micros - share.ledger.since());
    long lap = back != Outage.Return.NONE && share.ledger.isUntold() ? last.lap() : 0;
    Floor floor = last.floor(now, leadNanos, limits.size(), ago, lap);
    List<Change> all = new ArrayList<>(share.ledger.take(micros, last.wallOffset(), back));
    all.addAll(changes);
    return new Load(floor, all);
  }

  boolean hasToTell() {
    return !outbound.isEmpty() || readAgain || (share != null && !share.ledger.isEmpty());
  }

  /** In how many nanoseconds to tell what the last load left for later; negative if nothing. */
  long keptFor(long now) {
    if (tellingKept || share == null || share.ledger.isEmpty()) {
      return -1;
    }
    tellingKept = true;
    return Math.max(0, clock.nanos(share.ledger.due()) - now);
  }

  /** A command failed: what it carried is kept, as far as it may be said twice. */
  void untold(List<Outgoing> outgoing, List<Change> changes, long sent) {
    outbound.again(outgoing);
    for (Change change : changes) {
      if (change instanceof Change.Charge charge
          && share != null
          && charge.cost().length == limits.size()) {
        share.ledger.unsent(charge, clock.micros(sent));
      }
    }
  }

  /** Takes up what a reply says of the group; returns whether a cooldown was ended elsewhere. */
  boolean learn(RemoteReply reply, long sent, long received) {
    long offset = last.offset(reply.now(), sent, received);
    boolean cleared = false;
    if (last.isOlderThan(reply, sent)) {
      cleared = reply.cooldownMicros() <= 0 && cooldown.endedIn(reply.generation(), received);
      last.become(reply, sent, received, -clock.microsUp(offset));
      schedule.align(last.wallOffset());
      schedule.guard(reply.guardMicros());
      schedule.restore(own.certain(last.state()));
    }
    if (reply.cooldownMicros() > 0) {
      long until = (reply.now() + reply.cooldownMicros()) * 1_000 + offset;
      cooldown.stored(until, reply.generation(), received);
    } else if (reply.trouble() == RemoteReply.Trouble.STATE_LOST && cooldown.holds(received)) {
      outbound.add(new Outgoing.Cool(cooldown.until()));
    }
    return cleared;
  }

  /** The reply's starts on the ticker. */
  Reply translate(Ask ask, RemoteReply reply, int workers, long now) {
    long toMicros = -last.wallOffset();
    if (reply.kind() == RemoteReply.Kind.RESERVED) {
      own.reserved(reply.starts(), ask.cost(), last.wallOffset());
    }
    return switch (reply.kind()) {
      case NEVER -> Reply.without(Reply.Kind.NEVER);
      case TOO_LATE ->
          Reply.tooLate(clock.nanos(reply.earliest() + toMicros), cooldown.until(now), workers);
      default -> {
        long[] starts = new long[reply.starts().length];
        for (int i = 0; i < starts.length; i++) {
          starts[i] = clock.nanos(reply.starts()[i] + toMicros);
        }
        yield Reply.reserved(starts, cooldown.until(now), workers);
      }
    };
  }

  /**
   * Decides without the store, by this worker's share.
   *
   * @param outage which one it is, from 1; 0 for a single failure
   * @param unanswered whether the ask was sent and may have been charged
   */
  Reply askShare(Ask ask, Share part, long outage, boolean unanswered, long now) {
    LocalShare mine = share(part, outage, now);
    if (unanswered && outage == 0) {
      mine.ledger.mayBeCharged(ask);
    }
    if (ask.lateMicros() > 0) {
      mine.delay(ask.lateMicros());
    }
    long from = from(now);
    long earliest = mine.earliest(from, ask.cost());
    if (earliest - clock.microsUp(now) > ask.latestMicros()) {
      return Reply.tooLate(clock.nanos(earliest), cooldown.until(now), part.workers());
    }
    long[] starts = mine.run(from, ask);
    for (int i = 0; i < starts.length; i++) {
      starts[i] = clock.nanos(starts[i]);
    }
    return Reply.reserved(starts, cooldown.until(now), part.workers());
  }

  /** Stays the same throughout an outage, so that the workers stay out of each other's way. */
  private LocalShare share(Share part, long outage, long now) {
    LocalShare mine = share;
    if (mine == null
        || !mine.share().equals(part)
        || mine.outage() != outage
        || (outage == 0 && mine.seen() != last.sentAt())) {
      LocalShare.Seen seen = new LocalShare.Seen(lastSeen(), own, last, outage);
      mine = new LocalShare(part, seen, mine, clock.micros(now));
      if (cooldown.holds(now)) {
        mine.notBefore(clock.microsUp(cooldown.until()));
      }
      share = mine;
    }
    return mine;
  }

  /** The fleet's schedule as the last reply had it. */
  private GroupSchedule lastSeen() {
    GroupSchedule fleet = new GroupSchedule(limits);
    fleet.align(last.wallOffset());
    fleet.guard(schedule.guard());
    fleet.restore(schedule.snapshot());
    fleet.merge(last.state());
    return fleet;
  }

  long waitNanos(long[] ahead, long[] cost, boolean away, long now) {
    long from = from(now);
    long earliest = schedule.earliest(from, cost);
    if (earliest != GroupSchedule.NEVER) {
      earliest =
          away && share != null
              ? share.earliestBehind(from, ahead, cost)
              : schedule.earliestBehind(from, ahead, cost);
    }
    return earliest == GroupSchedule.NEVER
        ? ScheduleStore.NEVER
        : Math.max(0, clock.nanos(earliest) - now);
  }

  /** Nobody calls before {@code until}; false if that was known. */
  boolean cool(long until, long now) {
    if (!cooldown.extend(until, now)) {
      return false;
    }
    if (share != null) {
      share.notBefore(clock.microsUp(until));
    }
    return true;
  }

  /** As another worker published it. */
  boolean cooledElsewhere(long until, long inGeneration, long now) {
    boolean longer = cool(until, now);
    cooldown.stored(until, inGeneration, now);
    return longer;
  }

  /** Ended here: the store will note it by its next generation. */
  void clearCooldown(long now) {
    clearCooldown(last.generation() + 1, now);
  }

  /** Ended by another worker. */
  void clearCooldown(long inGeneration, long now) {
    if (cooldown.holds(now)) {
      // The store does the same to its own: what is known here would refuse calls for ever.
      long until = clock.microsUp(cooldown.until());
      schedule.resumeAt(until, clock.micros(now));
      last.forgetState();
      if (share != null) {
        share.resumeAt(until, clock.micros(now));
      }
    }
    cooldown.clear(inGeneration);
  }

  /** The store has taken up this worker's cooldown. */
  void cooldownStored(long inGeneration) {
    cooldown.markStored(inGeneration);
  }

  long cooldownUntil(long now) {
    return cooldown.until(now);
  }

  void move(long micros) {
    schedule.delay(micros);
    if (share != null) {
      share.delay(micros);
    }
  }

  void settle(long start, long[] delta, boolean away, long now) {
    long at = clock.micros(now);
    if (away && share != null) {
      share.settle(clock.micros(start), at, delta);
    } else {
      outbound.add(new Outgoing.Settle(start, delta));
    }
    schedule.adjust(clock.micros(start), at, delta);
    own.settle(clock.micros(start), at, delta);
  }

  void slow(int limit, long permits, long until, long now) {
    outbound.add(new Outgoing.Slow(limit, permits, until));
    if (share != null) {
      share.slow(limit, permits, clock.micros(now), clock.microsUp(until));
    }
  }

  void guard(long micros) {
    outbound.add(new Outgoing.Guard(micros));
    schedule.guard(micros);
    if (share != null) {
      share.guard(micros);
    }
  }

  GroupView view(int workers, long now) {
    return GroupView.of(schedule, clock.microsUp(now), from(now), workers);
  }
}
