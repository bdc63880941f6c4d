package dev.paceline.store;

import dev.paceline.event.Event;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts and tells what a remote store had to repair before it could decide. */
final class Repairs {

  private static final Logger log = LoggerFactory.getLogger(Repairs.class);

  private final Events events;
  private final StoreCounters counters;

  Repairs(Events events, StoreCounters counters) {
    this.events = events;
    this.counters = counters;
  }

  void seen(Mirror mirror, RemoteReply.Trouble trouble) {
    String group = mirror.key.toString();
    switch (trouble) {
      case NONE -> {}
      case STATE_LOST -> {
        counters.statesLost.increment();
        log.warn("{}: the store had lost the schedule, which is restored", group);
        events.tell(new Event.StateLost(group));
      }
      case LIMITS_DIFFER -> {
        if (mirror.firstDifference()) {
          log.warn("{}: another worker comes with other limits for this group", group);
        }
      }
      case CLOCK_STEPPED, JUNK -> {
        counters.statesRepaired.increment();
        String what =
            trouble == RemoteReply.Trouble.JUNK
                ? "the stored value was no schedule"
                : "the store's clock had stepped back";
        log.warn("{}: {}; repaired", group, what);
        events.tell(new Event.StateRepaired(group, what));
      }
    }
  }
}
