package dev.paceline.pace;

import dev.paceline.store.Ask;
import dev.paceline.store.Group;
import dev.paceline.store.GroupView;
import dev.paceline.store.LocalStore;
import dev.paceline.store.Reply;
import dev.paceline.store.ReplyTo;
import dev.paceline.store.ScheduleStore;
import dev.paceline.store.Slots;
import dev.paceline.store.StoreListener;
import java.time.Duration;

/** A store of one permit a second and nothing else, small enough for a model checker. */
final class OneASecond implements ScheduleStore {

  private static final long SECOND = 1_000_000_000L;

  private final HandTime time;
  private final LocalStore inFlight;
  private long next;

  OneASecond(HandTime time) {
    this.time = time;
    this.inFlight = LocalStore.create(time);
  }

  @Override
  public void ask(Ask ask, ReplyTo to) {
    long start;
    synchronized (this) {
      start = Math.max(time.nanoTime(), next);
      next = start + SECOND;
    }
    to.reply(Reply.reserved(new long[] {start}, time.nanoTime(), 1));
  }

  @Override
  public synchronized long waitNanos(Group group, long[] ahead, long[] cost) {
    return Math.max(0, next - time.nanoTime()) + ahead[0] * SECOND;
  }

  @Override
  public void cooldown(Group group, Duration lasting) {}

  @Override
  public void clearCooldown(Group group) {}

  @Override
  public void late(Group group, long micros) {}

  @Override
  public void settle(Group group, long start, long[] delta) {}

  @Override
  public void slow(Group group, int limit, long permits, Duration lasting) {}

  @Override
  public void guard(Group group, Duration extra) {}

  @Override
  public void listen(StoreListener listener) {
    inFlight.listen(listener);
  }

  @Override
  public Slots slots() {
    return inFlight.slots();
  }

  @Override
  public GroupView view(Group group) {
    return new GroupView(0, Duration.ZERO, Duration.ZERO, Duration.ZERO, 1);
  }

  @Override
  public void close() {}
}
