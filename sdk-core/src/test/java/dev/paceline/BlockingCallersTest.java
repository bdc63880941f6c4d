package dev.paceline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.limit.Limit;
import dev.paceline.testing.TestThreads;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Callers that park for real; on virtual threads with a single carrier, where there are some. */
@Tag("blocking")
class BlockingCallersTest {
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(30);

  private final BlockingQueue<Object> outcomes = new LinkedBlockingQueue<>();

  @Test
  void every_waiting_caller_gets_its_permit_and_none_before_its_time() throws Exception {
    Limit limit = Limit.of(200).per(Duration.ofSeconds(1));
    try (Paceline paceline = Paceline.builder().upstream("api", u -> u.limit(limit)).build()) {
      long start = System.nanoTime();

      List<Thread> callers = callers(paceline, 50);
      for (Thread caller : callers) {
        assertEnds(caller);
      }

      assertThat(outcomes).hasSize(50).allMatch(Permit.class::isInstance);
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(49 * 5_000_000L);
    }
  }

  @Test
  void interrupt_wakes_a_parked_caller_at_once() throws Exception {
    try (Paceline paceline = oneAMinute()) {
      paceline.acquire("api").sent();
      Thread caller = callers(paceline, 1).get(0);
      awaitParked(caller);

      caller.interrupt();

      assertEnds(caller);
      assertThat(outcomes).singleElement().isInstanceOf(InterruptedIOException.class);
    }
  }

  @Test
  void parked_callers_leave_the_carrier_to_others() throws Exception {
    try (Paceline paceline = oneAMinute()) {
      paceline.acquire("api").sent();
      List<Thread> parked = callers(paceline, 20);
      for (Thread caller : parked) {
        awaitParked(caller);
      }

      CountDownLatch ran = new CountDownLatch(1);
      TestThreads.start("other", ran::countDown);

      assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
      parked.forEach(Thread::interrupt);
      for (Thread caller : parked) {
        assertEnds(caller);
      }
    }
  }

  @Test
  void close_ends_the_wait_of_parked_callers() throws Exception {
    Paceline paceline = oneAMinute();
    paceline.acquire("api").sent();
    List<Thread> parked = callers(paceline, 3);
    for (Thread caller : parked) {
      awaitParked(caller);
    }

    paceline.close();

    for (Thread caller : parked) {
      assertEnds(caller);
    }
    assertThat(outcomes).hasSize(3).allMatch(PacelineClosedException.class::isInstance);
  }

  private static Paceline oneAMinute() {
    Limit limit = Limit.of(1).per(Duration.ofMinutes(1));
    return Paceline.builder().maxWait(LONGEST_WAIT).upstream("api", u -> u.limit(limit)).build();
  }

  private List<Thread> callers(Paceline paceline, int count) {
    List<Thread> started = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      started.add(TestThreads.start("caller-" + i, () -> call(paceline)));
    }
    return started;
  }

  private void call(Paceline paceline) {
    try {
      outcomes.add(paceline.acquire("api"));
    } catch (Exception e) {
      outcomes.add(e);
    }
  }

  private static void awaitParked(Thread caller) {
    while (caller.getState() != Thread.State.WAITING
        && caller.getState() != Thread.State.TIMED_WAITING) {
      assertThat(caller.isAlive()).isTrue();
      Thread.onSpinWait();
    }
  }

  private static void assertEnds(Thread caller) throws InterruptedException {
    caller.join(10_000);
    assertThat(caller.isAlive()).isFalse();
  }
}
