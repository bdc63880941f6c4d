package dev.paceline.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.benchmarks.soak.LongOutage.Figures;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LongOutageTest {

  @Test // RO-02
  void outage_fills_no_memory_loses_no_call_and_leaves_no_permit_that_nobody_took()
      throws Exception {
    Figures figures = LongOutage.run(Duration.ofSeconds(4));

    assertThat(figures.hold()).as(figures.toString()).isTrue();
  }
}
