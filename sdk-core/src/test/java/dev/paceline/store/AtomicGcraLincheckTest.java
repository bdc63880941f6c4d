package dev.paceline.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paceline.limit.Limit;
import dev.paceline.limit.LimitState;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * The lock-free cell under a model checker, and two planted faults that it finds. Nothing runs
 * before or after the parallel part: the usual five operations would have spent the burst, and
 * hidden the faults.
 */
class AtomicGcraLincheckTest {
  private static final GcraTicks TICKS =
      GcraTicks.of(Limit.of(1).per(Duration.ofSeconds(1)).tokenBucket(3)).orElseThrow();

  @Test
  void cell_takes_as_if_one_thread_at_a_time_did() {
    options().check(Cell.class);
  }

  @Test
  void planted_set_in_place_of_compare_and_set_is_found() {
    assertThatThrownBy(() -> options().check(BlindWrite.class))
        .isInstanceOf(LincheckAssertionError.class);
  }

  @Test
  void planted_reopening_by_a_late_charge_is_found() {
    assertThatThrownBy(() -> options().check(LateCharge.class))
        .isInstanceOf(LincheckAssertionError.class);
  }

  private static ModelCheckingOptions options() {
    return new ModelCheckingOptions()
        .actorsBefore(0)
        .actorsAfter(0)
        .threads(3)
        .actorsPerThread(2)
        .iterations(20)
        .invocationsPerIteration(1_000);
  }

  private static long nanos(int seconds) {
    return seconds * 1_000_000_000L;
  }

  /** What is checked. */
  @Param(name = "now", gen = IntGen.class, conf = "0:2")
  @Param(name = "cost", gen = IntGen.class, conf = "1:2")
  public static class Cell {
    private final AtomicGcra cell = new AtomicGcra(TICKS, 0);

    @Operation
    public boolean tryTake(@Param(name = "now") int now, @Param(name = "cost") int cost) {
      return cell.tryTake(nanos(now), cost);
    }

    @Operation
    public String close(@Param(name = "now") int now) {
      return cell.close(nanos(now), nanos(now) / 1_000, 0).toString();
    }

    @Operation
    public boolean open() {
      return cell.open(new LimitState.Unused(), 0, 0, 0);
    }
  }

  /** Reads, decides and writes, without looking whether another wrote in between. */
  @Param(name = "now", gen = IntGen.class, conf = "0:2")
  @Param(name = "cost", gen = IntGen.class, conf = "1:2")
  public static class BlindWrite {
    private final AtomicLong tat = new AtomicLong();

    @Operation
    public boolean tryTake(@Param(name = "now") int now, @Param(name = "cost") int cost) {
      long next = Math.max(tat.get(), nanos(now)) + nanos(cost);
      if (next - nanos(now) > nanos(3)) {
        return false;
      }
      tat.set(next);
      return true;
    }
  }

  /** Looks whether the cell is closed, and then charges it all the same. */
  @Param(name = "now", gen = IntGen.class, conf = "0:2")
  @Param(name = "cost", gen = IntGen.class, conf = "1:2")
  public static class LateCharge {
    private final AtomicLong tat = new AtomicLong();

    @Operation
    public boolean tryTake(@Param(name = "now") int now, @Param(name = "cost") int cost) {
      if (tat.get() == Long.MIN_VALUE) {
        return false;
      }
      long seen = tat.get();
      long next = Math.max(seen, nanos(now)) + nanos(cost);
      return next - nanos(now) <= nanos(3) && tat.compareAndSet(seen, next);
    }

    @Operation
    public long close() {
      return tat.getAndSet(Long.MIN_VALUE);
    }
  }
}
