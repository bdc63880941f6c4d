package dev.paceline;

import dev.paceline.event.Event;
import dev.paceline.event.EventListener;
import dev.paceline.feedback.Reading;
import dev.paceline.feedback.WaitScope;
import dev.paceline.store.Group;
import java.time.Duration;
import java.util.List;

/** What the responses of an upstream teach about its schedules. Thread-safe. */
final class Learning {

  private final Engine engine;

  /** A longer cooldown is stored as this. */
  private final Duration longest;

  Learning(Engine engine, Duration longest) {
    this.engine = engine;
    this.longest = longest;
  }

  /**
   * Takes up a response.
   *
   * @param scope what the request passed
   * @param reading what the response says
   */
  void learn(Scope scope, Reading reading) {
    if (reading.ignored() > 0) {
      engine.counters().add(Counters.Name.HEADERS_IGNORED, reading.ignored());
    }
    if (reading.throttled()) {
      engine.counters().add(Counters.Name.THROTTLED);
      reading
          .effectiveWait()
          .filter(wait -> !wait.isZero())
          .ifPresent(wait -> cool(held(scope, reading.scope()), wait));
    }
  }

  /** The groups that wait. Where only a route is meant, a rule for all routes goes on. */
  private static List<Group> held(Scope scope, WaitScope by) {
    List<Group> groups = scope.groups();
    if (groups.isEmpty() || by == WaitScope.UPSTREAM) {
      return groups;
    }
    Group narrowest = groups.get(0);
    boolean everyRoute = Upstream.isWide(narrowest.key().rule());
    return by == WaitScope.RULE || !everyRoute ? List.of(narrowest) : List.of();
  }

  private void cool(List<Group> groups, Duration wait) {
    Duration lasting = wait.compareTo(longest) > 0 ? longest : wait;
    for (Group group : groups) {
      engine.store().cooldown(group, lasting);
      engine.counters().add(Counters.Name.COOLDOWNS);
      if (engine.events() != EventListener.none()) {
        engine.events().on(new Event.CooldownBegan(group.key().toString(), lasting, false));
      }
    }
  }
}
