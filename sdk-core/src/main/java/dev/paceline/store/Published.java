package dev.paceline.store;

import dev.paceline.time.TimeSource;
import java.util.List;

/** Hears for a {@link SharedStore} what other workers published, and tells its listeners. */
record Published(SharedStore store, Mirrors mirrors, List<StoreListener> listeners, TimeSource time)
    implements RemoteStore.RemoteListener {

  @Override
  public void cooldown(GroupKey key, long generation, long micros) {
    long now = time.nanoTime();
    long until = now + micros * 1_000;
    Mirror mirror = mirrors.lockKnown(key);
    if (mirror != null) {
      try {
        if (micros > 0) {
          mirror.cooledElsewhere(until, generation, now);
        } else {
          mirror.clearCooldown(generation, now);
        }
      } finally {
        mirror.unlock();
      }
    }
    if (micros > 0) {
      listeners.forEach(listener -> listener.cooldown(key, until));
    } else {
      listeners.forEach(listener -> listener.cooldownCleared(key));
    }
  }

  @Override
  public void moved(GroupKey key, long micros) {
    Mirror mirror = mirrors.lockKnown(key);
    if (mirror != null) {
      try {
        mirror.move(micros);
      } finally {
        mirror.unlock();
      }
    }
    listeners.forEach(listener -> listener.moved(key, micros));
  }

  @Override
  public void resubscribed() {
    store.interrupted();
  }
}
