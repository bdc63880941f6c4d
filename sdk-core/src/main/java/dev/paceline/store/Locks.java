package dev.paceline.store;

/** Locked schedules, to be unlocked together. Owned by one thread. */
final class Locks {

  private final LocalSchedule[] schedules;
  private final LockedSchedule[] locked;
  private final boolean[] began;
  private int size;

  Locks(int capacity) {
    schedules = new LocalSchedule[capacity];
    locked = new LockedSchedule[capacity];
    began = new boolean[capacity];
  }

  void add(LocalSchedule schedule, LockedSchedule own) {
    schedules[size] = schedule;
    locked[size++] = own;
  }

  int size() {
    return size;
  }

  LockedSchedule schedule(int index) {
    return locked[index];
  }

  /** Charges at {@code now} what conforms there. */
  void take(int index, long now, long[] cost) {
    began[index] = locked[index].isNew(now);
    locked[index].take(now, cost);
  }

  void unlockAll() {
    while (size > 0) {
      size--;
      schedules[size].unlock(locked[size], began[size]);
    }
  }
}
