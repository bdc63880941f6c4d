package dev.paceline.store;

import dev.paceline.limit.LimitState;
import dev.paceline.limit.Snapshot;
import java.util.ArrayList;
import java.util.List;

/** Moves the instants of a schedule's state to another clock; windows are on the wall and stay. */
final class Shifts {

  private Shifts() {}

  static Snapshot by(Snapshot snapshot, long micros) {
    List<LimitState> moved = new ArrayList<>(snapshot.limits().size());
    for (LimitState state : snapshot.limits()) {
      moved.add(by(state, micros));
    }
    return new Snapshot(moved);
  }

  static LimitState by(LimitState state, long micros) {
    if (state instanceof LimitState.Arrival arrival) {
      return new LimitState.Arrival(arrival.tatMicros() + micros, arrival.remainder());
    }
    if (state instanceof LimitState.Log log) {
      List<LimitState.Run> runs = new ArrayList<>(log.runs().size());
      for (LimitState.Run run : log.runs()) {
        runs.add(new LimitState.Run(run.atMicros() + micros, run.count()));
      }
      return new LimitState.Log(runs);
    }
    return state;
  }
}
