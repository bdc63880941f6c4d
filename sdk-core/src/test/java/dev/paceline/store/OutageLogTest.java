package dev.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.limit.Limit;
import dev.paceline.testing.SimulatedFleet;
import dev.paceline.testing.SimulatedRemote.Way;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is logged, as it comes out of the simple logger that the tests run with. */
final class OutageLogTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final PrintStream before = System.err;
  private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
  private final SimulatedFleet fleet = new SimulatedFleet(Limit.of(200).per(SECOND).burst(20), 1);

  @BeforeEach
  void listen() {
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
    fleet.add(8);
    fleet.time.advance(SECOND);
  }

  @AfterEach
  void restore() {
    System.setErr(before);
  }

  private List<String> lines() {
    List<String> lines = logged.toString(StandardCharsets.UTF_8).lines().toList();
    logged.reset();
    return lines;
  }

  @Test
  void an_outage_is_logged_once_and_not_for_each_call_that_it_meets() {
    fleet.workers.get(0).remote.way(Way.REFUSING);
    long sent = fleet.measure(Duration.ofSeconds(30)).sent();
    assertThat(sent).isGreaterThan(5_000);
    assertThat(lines())
        .singleElement()
        .asString()
        .contains("WARN", "does not answer", "not connected", "outage policy");
    fleet.workers.get(0).remote.way(Way.OPEN);
    fleet.time.advance(Duration.ofSeconds(5));
    assertThat(lines()).filteredOn(line -> line.contains("answers again")).hasSize(1);
  }

  @Test
  void a_loss_is_logged_once_and_not_for_each_call_after_it() {
    fleet.server.loseSchedules();
    assertThat(fleet.measure(Duration.ofSeconds(5)).sent()).isGreaterThan(900);
    assertThat(lines()).singleElement().asString().contains("WARN", "had lost the schedule");
  }

  @Test
  void a_store_that_loses_the_schedule_again_and_again_fills_no_log() {
    for (int i = 0; i < 100; i++) {
      fleet.server.loseSchedules();
      fleet.time.advance(Duration.ofMillis(50));
    }
    assertThat(fleet.workers.get(0).store.stats().statesLost()).isGreaterThan(90);
    assertThat(lines()).hasSizeBetween(5, 6);
  }
}
