package dev.paceline.pace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.event.RefusalReason;
import dev.paceline.limit.Limit;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.OutagePolicy;
import dev.paceline.store.SharedSettings;
import dev.paceline.store.SharedStore;
import dev.paceline.testing.SimulatedRemote;
import dev.paceline.testing.SimulatedRemote.Way;
import dev.paceline.testing.SimulatedServer;
import dev.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What callers get of a store that is away, whatever the monotonic clock happens to read. */
final class OutagePolicyTest {

  private static final Instant WALL = Instant.parse("2026-01-01T00:00:00Z");

  private static List<String> outcomes(OutagePolicy policy, long nanoOrigin) {
    VirtualTime time = VirtualTime.startingAt(nanoOrigin, WALL);
    SimulatedRemote remote = new SimulatedServer(time).connect();
    SharedStore store =
        SharedStore.start(remote, time, SharedSettings.standard().outagePolicy(up -> policy));
    Pacers pacers = new Pacers(store, time, Pace.standard(), key -> 1_000, key -> Optional.empty());
    Limit limit = Limit.of(1).per(Duration.ofSeconds(1));
    Stage stage =
        new Stage(new Group(new GroupKey("up", "*", "*"), List.of(limit)), new long[] {1});
    remote.way(Way.REFUSING);
    time.advance(Duration.ofSeconds(5));
    assertThat(store.health().degraded()).isTrue();

    List<String> outcomes = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      long now = time.nanoTime();
      Passage.Terms terms = new Passage.Terms(0, now, now + 10_000_000_000L, 0);
      var unused =
          pacers.pass(
              List.of(stage),
              terms,
              end -> outcomes.add(end.refusal().map(RefusalReason::name).orElse("granted")));
      time.advance(Duration.ofMillis(1));
    }
    store.close();
    return outcomes;
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 5_000_000_000_000L, 9_223_372_036_000_000_000L, -5_000_000_000_000L})
  void closed_refuses_every_call_as_closed(long origin) {
    assertThat(outcomes(OutagePolicy.CLOSED, origin)).hasSize(5).containsOnly("STORE_CLOSED");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 5_000_000_000_000L, 9_223_372_036_000_000_000L, -5_000_000_000_000L})
  void open_lets_every_call_go_at_once(long origin) {
    assertThat(outcomes(OutagePolicy.OPEN, origin)).hasSize(5).containsOnly("granted");
  }
}
