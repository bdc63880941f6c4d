package dev.paceline.store;

import dev.paceline.limit.LimitState;
import dev.paceline.limit.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a group's remote schedule was when it last replied, and where its clock lies on the ticker.
 * Guarded by the mirror's lock.
 */
final class LastReply {

  private static final Snapshot NO_STATE = new Snapshot(List.of());
  private static final long LONGEST_LAP_MICROS = 1_000_000L;

  private final RemoteClock remoteClock;
  private @Nullable RemoteClock ownClock;
  private boolean known;
  private long sentAt;
  private long receivedAt;
  private long remoteNow;
  private Snapshot state = NO_STATE;
  private long generation;
  private long wallOffset;
  private long lap;

  /**
   * Before any reply.
   *
   * @param wallOffset the wall clock minus the local clock, as this machine has them
   */
  LastReply(RemoteClock remoteClock, long wallOffset) {
    this.remoteClock = remoteClock;
    this.wallOffset = wallOffset;
  }

  /** Whether another came no longer ago than {@code nanos}. */
  boolean isYoungerThan(long nanos, long now) {
    return known && now - receivedAt < nanos;
  }

  /** When the command left that it answers. */
  long sentAt() {
    return sentAt;
  }

  long generation() {
    return generation;
  }

  /** The remote clock minus the local clock, both in microseconds. */
  long wallOffset() {
    return wallOffset;
  }

  /** How far others may have reserved since, in microseconds. */
  long lap() {
    return lap;
  }

  /**
   * Whether a reply says something newer. The store merges this worker's floor before it decides,
   * so an older generation is an older reply.
   */
  boolean isOlderThan(RemoteReply reply, long sent) {
    return !known
        || reply.generation() > generation
        || (reply.generation() == generation && sent - sentAt >= 0);
  }

  /**
   * Becomes a newer one.
   *
   * @param offset the remote clock minus the local clock
   */
  void become(RemoteReply reply, long sent, long received, long offset) {
    known = true;
    sentAt = sent;
    receivedAt = received;
    remoteNow = reply.now();
    state = reply.state();
    generation = reply.generation();
    wallOffset = offset;
    lap = reply.kind() == RemoteReply.Kind.RESERVED ? lapMicros(reply) : lap;
  }

  /**
   * How far others may have reserved by the time at which this worker asks again: where its turn
   * came behind theirs, each of them has one like it.
   */
  private static long lapMicros(RemoteReply reply) {
    long[] starts = reply.starts();
    if (starts[0] <= reply.now()) {
      return 0;
    }
    long span = starts[starts.length - 1] - starts[0];
    long interval = starts.length > 1 ? span / (starts.length - 1) : 0;
    return Math.min(LONGEST_LAP_MICROS, (reply.workers() - 1) * (span + interval));
  }

  /** The state is of other limits than those in force: the store rescales its own. */
  void forgetState() {
    state = NO_STATE;
  }

  /** The fleet's state by the local clock; empty if it is not known. */
  Snapshot state() {
    return Shifts.by(state, -wallOffset);
  }

  /** What is remembered, for a command sent now. */
  Floor floor(long now, long leadNanos, int limits) {
    return floor(now, leadNanos, limits, 0, 0);
  }

  /**
   * As the other, for a command that charges what was sent meanwhile.
   *
   * @param ago how long ago, in microseconds, the first of that was sent: a debt that time has paid
   *     by now was none then
   * @param more how much more others may have reserved since the reply: of that nobody tells
   */
  Floor floor(long now, long leadNanos, int limits, long ago, long more) {
    if (!known || state.limits().size() != limits) {
      return new Floor(known ? generation : 0, NO_STATE);
    }
    // Rounded up, so that it never says more than was said.
    long passed = -Math.floorDiv(sentAt - now - leadNanos, 1_000L);
    List<LimitState> states = new ArrayList<>(limits);
    for (LimitState one : Shifts.by(state, more - remoteNow - passed).limits()) {
      boolean paid = one instanceof LimitState.Arrival arrival && arrival.tatMicros() <= -ago;
      states.add(paid ? new LimitState.Unused() : one);
    }
    long age = Math.max(0, (now - sentAt) / 1_000);
    return new Floor(generation, new Snapshot(states), age);
  }

  /** The ticker minus the remote clock, in nanoseconds. */
  long offset(long remote, long sent, long received) {
    long offset = remoteClock.sample(received, remote);
    // The remote clock was read after the command was sent. If that contradicts the smallest offset
    // then the clock was set back, or this group lives on another machine than most.
    long least = sent - remote * 1_000;
    if (offset - least >= 0) {
      ownClock = null;
      return offset;
    }
    if (ownClock == null) {
      ownClock = new RemoteClock();
    }
    long own = ownClock.sample(received, remote);
    return own - least >= 0 ? own : ownClock.restart(received, remote);
  }
}
