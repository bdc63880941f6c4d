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

    assertThat(Soak.run(seed, lasting)).as("seed " + seed).isEmpty();
  }
}
