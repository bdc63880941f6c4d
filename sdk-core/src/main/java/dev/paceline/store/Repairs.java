package dev.paceline.store;

import dev.paceline.event.Event;
import dev.paceline.time.TimeSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts and tells what a remote store had to repair before it could decide. Logs at most one line
 * a second: a store that evicts may lose a schedule with every call.
 */
final class Repairs {

  private static final Logger log = LoggerFactory.getLogger(Repairs.class);

  private static final long LINE_EVERY_NANOS = 1_000_000_000L;

  private final TimeSource time;
  private final Events events;
  private final StoreCounters counters;
  private final AtomicLong lastLine;
  private final Set<String> differing = ConcurrentHashMap.newKeySet();

  Repairs(TimeSource time, Events events, StoreCounters counters) {
    this.time = time;
    this.lastLine = new AtomicLong(time.nanoTime() - LINE_EVERY_NANOS);
    this.events = events;
    this.counters = counters;
  }

  void seen(Mirror mirror, RemoteReply.Trouble trouble) {
    String group = mirror.key.toString();
    switch (trouble) {
      case NONE -> {}
      case STATE_LOST -> {
        counters.statesLost.increment();
        warn(group, "the store had lost the schedule, which is restored");
        events.tell(new Event.StateLost(group));
      }
      case LIMITS_DIFFER -> {
        // Owners may be many, rules are as many as were configured.
        if (mirror.firstDifference()
            && differing.add(mirror.key.upstream() + "/" + mirror.key.rule())) {
          log.warn(
              "{}: another worker comes with other limits; each paces itself by its own until all are configured alike",
              group);
        }
      }
      case CLOCK_STEPPED, JUNK -> {
        counters.statesRepaired.increment();
        String what =
            trouble == RemoteReply.Trouble.JUNK
                ? "the stored value was no schedule"
                : "the store's clock had stepped back";
        warn(group, what + "; repaired");
        events.tell(new Event.StateRepaired(group, what));
      }
    }
  }

  private void warn(String group, String what) {
    long now = time.nanoTime();
    long last = lastLine.get();
    if (now - last >= LINE_EVERY_NANOS && lastLine.compareAndSet(last, now)) {
      log.warn("{}: {}", group, what);
    }
  }
}
