package dev.paceline.testing;

import dev.paceline.limit.LimitState;
import dev.paceline.limit.Snapshot;

/** Moves the instants of a state; windows, which are on the wall, stay. */
final class SimulatedStates {

  private SimulatedStates() {}

  static Snapshot shift(Snapshot snapshot, long micros) {
    return new Snapshot(snapshot.limits().stream().map(state -> shift(state, micros)).toList());
  }

  private static LimitState shift(LimitState state, long micros) {
    if (state instanceof LimitState.Arrival a) {
      return new LimitState.Arrival(a.tatMicros() + micros, a.remainder());
    }
    if (state instanceof LimitState.Log log) {
      return new LimitState.Log(
          log.runs().stream()
              .map(run -> new LimitState.Run(run.atMicros() + micros, run.count()))
              .toList());
    }
    return state;
  }
}
