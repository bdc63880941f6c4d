package dev.paceline;

import dev.paceline.event.RefusalReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Everything that is counted. Thread-safe. */
final class Counters {

  enum Name {
    PERMITS,
    PERMITS_GIVEN_BACK,
    REFUSED_DEADLINE,
    REFUSED_QUEUE_FULL,
    REFUSED_IN_FLIGHT,
    REFUSED_NEVER,
    REFUSED_QUOTA_EXHAUSTED,
    REFUSED_STORE_CLOSED,
    REFUSED_CIRCUIT_OPEN,
    REFUSED_CANCELLED,
    REFUSED_CLOSED,
    ATTEMPTS,
    RETRIES,
    NOT_RETRIED_BUDGET,
    NOT_RETRIED_ATTEMPTS,
    NOT_RETRIED_NOT_IDEMPOTENT,
    NOT_RETRIED_DEADLINE,
    NOT_RETRIED_OTHERWISE,
    COOLDOWNS,
    THROTTLED,
    HEADERS_IGNORED
  }

  private final Map<Name, LongAdder> adders = new EnumMap<>(Name.class);

  Counters() {
    for (Name name : Name.values()) {
      adders.put(name, new LongAdder());
    }
  }

  static Name refused(RefusalReason reason) {
    return Name.valueOf("REFUSED_" + reason.name());
  }

  void add(Name name) {
    add(name, 1);
  }

  void add(Name name, long count) {
    LongAdder adder = adders.get(name);
    if (adder != null) {
      adder.add(count);
    }
  }

  long get(Name name) {
    LongAdder adder = adders.get(name);
    return adder == null ? 0 : adder.sum();
  }
}
