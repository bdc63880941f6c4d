package dev.paceline.store;

import dev.paceline.limit.InFlight;
import dev.paceline.store.Places.Place;
import dev.paceline.time.TimeSource;
import dev.paceline.time.Timer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the calls in flight of this process. Thread-safe. */
final class LocalSlots implements Slots {

  private static final Logger log = LoggerFactory.getLogger(LocalSlots.class);

  private final TimeSource time;
  private final Consumer<GroupKey> slotFree;
  private final AtomicBoolean warned = new AtomicBoolean();

  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final Map<GroupKey, Places> groups = new HashMap<>();
  private long inFlight;
  private long expired;

  /**
   * Counts from zero.
   *
   * @param slotFree tells the listeners that one of them who waits may try again
   */
  LocalSlots(TimeSource time, Consumer<GroupKey> slotFree) {
    this.time = time;
    this.slotFree = slotFree;
  }

  @Override
  public Optional<Slot> tryTake(GroupKey group, InFlight limit) {
    lock.lock();
    try {
      Places places = places(group, limit);
      long now = time.nanoTime();
      if (!hasRoom(places, now)) {
        return Optional.empty();
      }
      Place place = new Place(group, now, this);
      places.held.add(place);
      inFlight++;
      return Optional.of(place);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int available(GroupKey group, InFlight limit) {
    lock.lock();
    try {
      Places places = groups.get(group);
      if (places == null || hasRoom(places, time.nanoTime())) {
        return limit.most() - (places == null ? 0 : places.held.size());
      }
      return 0;
    } finally {
      lock.unlock();
    }
  }

  private Places places(GroupKey group, InFlight limit) {
    Places places = groups.computeIfAbsent(group, key -> new Places(limit));
    places.limit = limit;
    return places;
  }

  private boolean hasRoom(Places places, long now) {
    if (places.held.size() < places.limit.most()) {
      return true;
    }
    int ended = places.expire(now).size();
    expired += ended;
    inFlight -= ended;
    if (ended > 0 && warned.compareAndSet(false, true)) {
      log.warn(
          "A call is in flight for more than {}, and no longer counted; close every response body, or allow for longer calls by longestCall(...). Later ones are only counted",
          places.limit.longest());
    }
    return ended > 0;
  }

  @Override
  public void want(GroupKey group, InFlight limit) {
    lock.lock();
    try {
      places(group, limit).wanted = true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void attend(GroupKey group) {
    lock.lock();
    try {
      Places places = groups.get(group);
      if (places == null || !places.wanted) {
        return;
      }
      long now = time.nanoTime();
      if (!hasRoom(places, now)) {
        attendAtExpiry(group, places, now);
        return;
      }
      places.wanted = false;
      forgetIfUnused(group, places);
    } finally {
      lock.unlock();
    }
    slotFree.accept(group);
  }

  private void attendAtExpiry(GroupKey group, Places places, long now) {
    if (places.expiry == null) {
      long wait = places.untilExpiry(places.held.iterator().next(), now);
      places.expiry = time.schedule(() -> expiryIsOver(group), wait);
    }
  }

  private void expiryIsOver(GroupKey group) {
    lock.lock();
    try {
      Places places = groups.get(group);
      if (places != null) {
        places.expiry = null;
      }
    } finally {
      lock.unlock();
    }
    attend(group);
  }

  void free(Place place) {
    lock.lock();
    try {
      Places places = groups.get(place.group);
      if (places == null || !places.held.remove(place)) {
        return;
      }
      inFlight--;
      forgetIfUnused(place.group, places);
      if (!places.wanted) {
        return;
      }
    } finally {
      lock.unlock();
    }
    attend(place.group);
  }

  private void forgetIfUnused(GroupKey group, Places places) {
    if (places.isUnused()) {
      Timer timer = places.expiry;
      if (timer != null) {
        timer.cancel();
      }
      groups.remove(group);
    }
  }

  @Override
  public long inFlight() {
    lock.lock();
    try {
      return inFlight;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long expired() {
    lock.lock();
    try {
      return expired;
    } finally {
      lock.unlock();
    }
  }
}
