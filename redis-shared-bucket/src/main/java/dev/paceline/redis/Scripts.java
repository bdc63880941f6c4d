package dev.paceline.redis;

/** The scripts of a store, on one clock. */
record Scripts(Script decide, Script heartbeat) {

  /** On Redis' own clock. */
  static final Scripts STANDARD = on(Script.redisClock());

  /** On a clock as for {@link Script#decideOn}. */
  static Scripts on(String clock) {
    return new Scripts(Script.decideOn(clock), Script.heartbeatOn(clock));
  }
}
