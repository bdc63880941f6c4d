package dev.paceline.event;

/**
 * Hears events, on whichever thread they happen. Must be brief, must not block and must not call
 * back into Paceline; what it throws is logged once and dropped.
 */
@FunctionalInterface
public interface EventListener {

  /** Called for each event; possibly by several threads at once. */
  void on(Event event);

  /** Hears nothing and costs nothing. */
  static EventListener none() {
    return NoListener.INSTANCE;
  }
}
