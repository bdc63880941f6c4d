package dev.paceline.pace;

import dev.paceline.limit.InFlight;
import dev.paceline.store.GroupKey;
import dev.paceline.store.Slot;
import dev.paceline.store.Slots;
import org.jspecify.annotations.Nullable;

/**
 * Whether the callers of a lane may start as far as their group's calls in flight are concerned. A
 * slot is taken when a permit is due; while there is none, no more permits are asked for. Guarded
 * by the pacer's lock, but for {@link Errand#run}.
 */
final class Gate {

  private final Slots slots;
  private final GroupKey group;
  private final @Nullable InFlight limit;

  private boolean full;
  private boolean waits;
  private boolean toAttend;
  private @Nullable Slot inHand;

  Gate(Slots slots, GroupKey group, @Nullable InFlight limit) {
    this.slots = slots;
    this.group = group;
    this.limit = limit;
  }

  /** What is to be done once the lock is released; more than once does no harm. */
  record Errand(Slots slots, GroupKey group, @Nullable Slot unused) {
    void run() {
      if (unused != null) {
        unused.free();
      }
      slots.attend(group);
    }
  }

  /** Whether a caller needs a slot. */
  boolean isLimited() {
    return limit != null;
  }

  /** True while all slots are known to be taken. */
  boolean isFull() {
    return full;
  }

  /** How many permits could be used now; more would be charged for nothing. */
  int admits() {
    if (limit == null) {
      return Integer.MAX_VALUE;
    }
    int free = (inHand == null ? 0 : 1) + (full ? 0 : Math.max(0, slots.available(group, limit)));
    if (free == 0 && !full) {
      full(limit);
    }
    return free;
  }

  /** Whether the next caller may start: there is a slot for it in hand. */
  boolean open() {
    if (limit == null || inHand != null) {
      return true;
    }
    if (!full) {
      inHand = slots.tryTake(group, limit).orElse(null);
      if (inHand == null) {
        full(limit);
      }
    }
    return inHand != null;
  }

  private void full(InFlight by) {
    full = true;
    waits = true;
    toAttend = true;
    slots.want(group, by);
  }

  /** The slot in hand, for the caller that starts; null where none is needed. */
  @Nullable Slot pass() {
    Slot slot = inHand;
    inHand = null;
    return slot;
  }

  /** It is worth trying again. */
  void slotFree() {
    full = false;
    if (waits && limit != null) {
      // Until the caller has its permit, too, the slot is not for others.
      slots.want(group, limit);
    }
  }

  /**
   * What is to be done outside the lock, if anything.
   *
   * @param anyWaits whether anybody waits in the lane
   */
  @Nullable Errand errand(boolean anyWaits) {
    boolean left = waits && !anyWaits;
    if (left) {
      waits = false;
      full = false;
    }
    if (!left && !toAttend && (anyWaits || inHand == null)) {
      return null;
    }
    toAttend = false;
    return new Errand(slots, group, anyWaits ? null : pass());
  }
}
