package dev.paceline.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.testing.BlockingLane;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class NewestJdkTest {

  @Test
  void blocking_tests_pass_on_the_newest_jdk() throws Exception {
    BlockingLane.Result result = BlockingLane.run(Path.of("target", "test-classes"));

    assertThat(result.exitCode()).as(result.output()).isZero();
    assertThat(result.successful()).as(result.output()).isPositive();
  }
}
