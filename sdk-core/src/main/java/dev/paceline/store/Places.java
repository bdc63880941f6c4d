package dev.paceline.store;

import dev.paceline.limit.InFlight;
import dev.paceline.time.Timer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The calls in flight of one group in this process. Guarded by the lock of who counts them. */
final class Places {

  /** One of them: when it began, and who is told of its end. */
  static final class Place implements Slot {
    final GroupKey group;
    final long since;
    private final LocalSlots of;

    Place(GroupKey group, long since, LocalSlots of) {
      this.group = group;
      this.since = since;
      this.of = of;
    }

    @Override
    public void free() {
      of.free(this);
    }
  }

  InFlight limit;

  /** Oldest first. */
  final Set<Place> held = new LinkedHashSet<>();

  /** Somebody waits, and is to be told. */
  boolean wanted;

  /** Fires when the oldest has been in flight for as long as a call can be. */
  @Nullable Timer expiry;

  Places(InFlight limit) {
    this.limit = limit;
  }

  boolean isUnused() {
    return held.isEmpty() && !wanted;
  }

  /** Takes out those that have been in flight for longer than a call can be. */
  List<Place> expire(long now) {
    List<Place> expired = new ArrayList<>(0);
    for (Iterator<Place> all = held.iterator(); all.hasNext(); ) {
      Place oldest = all.next();
      if (untilExpiry(oldest, now) > 0) {
        break;
      }
      all.remove();
      expired.add(oldest);
    }
    return expired;
  }

  long untilExpiry(Place place, long now) {
    return limit.longest().toNanos() - (now - place.since);
  }
}
