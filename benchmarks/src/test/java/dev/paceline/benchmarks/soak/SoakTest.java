package dev.paceline.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SoakTest {

  /** Another seed, or more time, by system properties. */
  @Test
  void everything_holds_while_faults_come_and_go() throws IOException, InterruptedException {
    long seed = Long.getLong("paceline.seed", 9);
    Duration lasting = Duration.ofSeconds(Long.getLong("paceline.soak.seconds", 8));

    assertThat(Soak.run(seed, Soak.Load.lasting(lasting)).faults()).as("seed " + seed).isEmpty();
  }

  @Test
  void each_of_10_000_calls_ends_once_with_a_response_or_a_typed_exception() throws Exception {
    assertThat(Soak.run(3, Soak.Load.of(10_000)).faults()).isEmpty();
  }
}
