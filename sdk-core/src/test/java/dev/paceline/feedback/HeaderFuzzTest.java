package dev.paceline.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Readings of mutated responses. For a long run: {@code mvn -pl sdk-core -am test
 * -Dtest=HeaderFuzzTest -Dsurefire.failIfNoSpecifiedTests=false -Dpaceline.fuzz.count=10000000
 * -Dpaceline.fuzz.seed=7}.
 */
final class HeaderFuzzTest {

  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  void mutated_responses_never_throw_and_never_read_out_of_range() {
    long seed = Long.getLong("paceline.fuzz.seed", 20_261_130L);
    long count = Long.getLong("paceline.fuzz.count", 100_000L);
    long start = System.nanoTime();

    long telling = new HeaderFuzz(seed).run(count);

    System.out.printf(
        "fuzz: seed %d, %d responses, %d told something, %d s%n",
        seed, count, telling, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start));
    // Mutations that leave nothing to read would test nothing.
    assertThat(telling).isBetween(count / 4, count - count / 20);
  }
}
