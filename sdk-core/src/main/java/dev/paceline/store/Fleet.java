package dev.paceline.store;

import dev.paceline.time.TimeSource;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * How many workers there are, by heartbeats: one each second, and ten a second while the store is
 * away or just back, which also tell when it and the other workers are back. Thread-safe.
 */
final class Fleet {

  private static final long BEAT_NANOS = 1_000_000_000L;
  private static final long FEWER_AFTER_NANOS = 2_500_000_000L;
  private static final long TICK_NANOS = 250_000_000L;
  private static final long PROBE_NANOS = 100_000_000L;

  /** Together as long as the longest time to the next tick. */
  private static final int SOON_TIMES = 10;

  private static final long SOON_NANOS = 25_000_000L;

  private final RemoteStore remote;
  private final TimeSource time;
  private final Commands commands;
  private final Outage outage;

  private volatile int workers;
  private volatile Share share;
  private volatile boolean closed;
  private volatile long lastBeat;
  private volatile long lastAsMany;
  private volatile Runnable back = () -> {};

  Fleet(
      RemoteStore remote,
      TimeSource time,
      Commands commands,
      Outage outage,
      OptionalInt expectedWorkers) {
    this.remote = remote;
    this.time = time;
    this.commands = commands;
    this.outage = outage;
    this.workers = expectedWorkers.orElse(1);
    // The last place has the smallest part of a window, and no rank is known yet.
    this.share = new Share(workers, workers - 1);
  }

  /** At least 1. */
  int workers() {
    return workers;
  }

  /** This worker's part, as counted last. */
  Share share() {
    return share;
  }

  /** A reply said how many there are. */
  void counted(int count, long now) {
    if (isBelieved(count, now)) {
      workers = Math.max(1, count);
    }
  }

  /**
   * A store that was flushed forgets the workers and counts them anew: fewer are believed only once
   * all that live must have sent a heartbeat since. Otherwise an outage just then would be shared
   * among too few. Nor is a store believed that is just back: the workers come back one by one.
   */
  private boolean isBelieved(int count, long now) {
    if (outage.sharing(now)) {
      return false;
    }
    if (count >= workers) {
      lastAsMany = now;
      return true;
    }
    return now - lastAsMany >= FEWER_AFTER_NANOS;
  }

  void start(Runnable whenBack) {
    back = whenBack;
    outage.whenLost(this::lost);
    lastBeat = time.nanoTime() - BEAT_NANOS;
    lastAsMany = time.nanoTime();
    tick();
  }

  private void tick() {
    if (closed) {
      return;
    }
    long now = time.nanoTime();
    boolean probing = outage.sharing(now);
    time.schedule(this::tick, probing ? PROBE_NANOS : TICK_NANOS);
    if (probing || now - lastBeat >= BEAT_NANOS) {
      lastBeat = now;
      beat();
    }
  }

  private void beat() {
    boolean hears = !outage.away();
    commands.send(() -> remote.heartbeat(hears), new Beat());
  }

  /**
   * The store was lost just now. It may be back in a moment, and while it is back for others only,
   * this worker's share comes on top of what they take. The sooner all know, the better.
   */
  private void lost() {
    probeSoon(SOON_TIMES);
  }

  private void probeSoon(int times) {
    if (times > 0) {
      time.schedule(
          () -> {
            if (!closed && outage.isUnsettled()) {
              beat();
              probeSoon(times - 1);
            }
          },
          SOON_NANOS);
    }
  }

  void close() {
    closed = true;
  }

  private final class Beat implements Commands.Answer<RemoteStore.Workers> {
    @Override
    public @Nullable String fault(RemoteStore.Workers reply) {
      boolean sane = reply.count() >= 1 && reply.rank() >= 0 && reply.rank() < reply.count();
      return sane ? null : "a heartbeat's reply makes no sense: " + reply;
    }

    @Override
    public void came(RemoteStore.Workers reply, long sent, long received) {
      if (isBelieved(reply.count(), received)) {
        workers = reply.count();
        share = new Share(reply.count(), reply.rank());
      }
      if (outage.probed(received)) {
        lastAsMany = received;
        // The others wait for it.
        beat();
        back.run();
      }
      if (reply.count() >= workers) {
        outage.everybodyIsBack(received);
      }
    }

    @Override
    public void failed(long sent, long now, boolean timedOut) {}

    @Override
    public void cameLate(RemoteStore.Workers reply, long sent, long received) {}
  }
}
