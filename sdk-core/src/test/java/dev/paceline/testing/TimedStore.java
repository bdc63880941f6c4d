package dev.paceline.testing;

import dev.paceline.store.Ask;
import dev.paceline.store.Group;
import dev.paceline.store.GroupView;
import dev.paceline.store.ReplyTo;
import dev.paceline.store.ScheduleStore;
import dev.paceline.store.Slots;
import dev.paceline.store.StoreListener;
import dev.paceline.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A store that notes how long its decisions take, and whether each comes exactly once. */
public final class TimedStore implements ScheduleStore {

  private final ScheduleStore store;
  private final TimeSource time;
  private final AtomicLong slowestNanos = new AtomicLong();
  private final AtomicLong undecided = new AtomicLong();
  private final AtomicLong decidedTwice = new AtomicLong();

  /** Passes everything on. */
  public TimedStore(ScheduleStore store, TimeSource time) {
    this.store = store;
    this.time = time;
  }

  /** The slowest decision since this was last asked. */
  public Duration slowest() {
    return Duration.ofNanos(slowestNanos.getAndSet(0));
  }

  /** Asks that have no answer yet. */
  public long undecided() {
    return undecided.get();
  }

  /** Asks that were answered more than once. */
  public long decidedTwice() {
    return decidedTwice.get();
  }

  @Override
  public void ask(Ask ask, ReplyTo to) {
    long asked = time.nanoTime();
    AtomicInteger replies = new AtomicInteger();
    undecided.incrementAndGet();
    store.ask(
        ask,
        reply -> {
          slowestNanos.accumulateAndGet(time.nanoTime() - asked, Math::max);
          if (replies.incrementAndGet() == 1) {
            undecided.decrementAndGet();
          } else {
            decidedTwice.incrementAndGet();
          }
          to.reply(reply);
        });
  }

  @Override
  public long waitNanos(Group group, long[] ahead, long[] cost) {
    return store.waitNanos(group, ahead, cost);
  }

  @Override
  public void cooldown(Group group, Duration lasting) {
    store.cooldown(group, lasting);
  }

  @Override
  public void clearCooldown(Group group) {
    store.clearCooldown(group);
  }

  @Override
  public void late(Group group, long micros) {
    store.late(group, micros);
  }

  @Override
  public void settle(Group group, long start, long[] delta) {
    store.settle(group, start, delta);
  }

  @Override
  public void slow(Group group, int limit, long permits, Duration lasting) {
    store.slow(group, limit, permits, lasting);
  }

  @Override
  public void guard(Group group, Duration extra) {
    store.guard(group, extra);
  }

  @Override
  public void listen(StoreListener listener) {
    store.listen(listener);
  }

  @Override
  public Slots slots() {
    return store.slots();
  }

  @Override
  public GroupView view(Group group) {
    return store.view(group);
  }

  @Override
  public void close() {
    store.close();
  }
}
