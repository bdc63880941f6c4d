package dev.paceline.store;

import dev.paceline.event.Event;
import dev.paceline.event.EventListener;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listener that may throw; the first time is logged. */
final class Events {

  private static final Logger log = LoggerFactory.getLogger(Events.class);

  private final EventListener listener;
  private final AtomicBoolean complained = new AtomicBoolean();

  Events(EventListener listener) {
    this.listener = listener;
  }

  void tell(Event event) {
    try {
      listener.on(event);
    } catch (RuntimeException e) {
      if (complained.compareAndSet(false, true)) {
        log.warn("An event listener failed; later failures of it are not logged", e);
      }
    }
  }
}
