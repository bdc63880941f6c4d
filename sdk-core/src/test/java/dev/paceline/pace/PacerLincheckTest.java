package dev.paceline.pace;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paceline.event.RefusalReason;
import dev.paceline.limit.Limit;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Test;

/**
 * Entering, granting, cancelling, expiring and closing under a model checker: every caller is told
 * exactly once, no permit is given twice, none is lost, nobody waits on without a timer. The
 * planted faults show that it would find what it looks for.
 */
final class PacerLincheckTest {

  private static final int INVOCATIONS = 100;
  private static final Group GROUP =
      new Group(new GroupKey("up", "*", "*"), List.of(Limit.of(1).per(Duration.ofSeconds(1))));

  /** What the scenarios do to a pacer, so that faults can be planted in between. */
  interface Door {
    void enter(Waiter waiter);

    boolean cancel(Waiter waiter);
  }

  /** A caller that notes what it is told. */
  private static final class Caller implements Waiter.Settled {
    final AtomicInteger told = new AtomicInteger();
    final Waiter waiter;

    Caller(long deadline) {
      waiter = new Waiter(new long[] {1}, 0, 0, deadline, this);
    }

    @Override
    public void settled(Waiter settled) {
      told.incrementAndGet();
    }

    boolean granted() {
      return waiter.state == Waiter.State.GRANTED;
    }
  }

  /** One permit a second, and a clock that is moved by hand: small, so that much is explored. */
  private static final class Scenario {
    final HandTime time = new HandTime();
    final OneASecond store = new OneASecond(time);
    final Pacer pacer = new Pacer(GROUP, store, time, Pace.standard(), null);
    final List<Caller> callers = new ArrayList<>();

    Caller caller(Duration patience) {
      Caller caller = new Caller(patience.toNanos());
      callers.add(caller);
      return caller;
    }

    void settle() {
      for (int second = 3; second < 8; second++) {
        time.moveTo(Duration.ofSeconds(second).toNanos());
      }
      for (Caller caller : callers) {
        check(caller.told.get() == 1, "a caller was told " + caller.told.get() + " times");
        for (Caller other : callers) {
          boolean same =
              other != caller
                  && caller.granted()
                  && other.granted()
                  && caller.waiter.start == other.waiter.start;
          check(!same, "a permit was given twice");
        }
      }
      check(pacer.queued() == 0, "somebody waits on");
    }
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  private static void together(Runnable... parts) {
    List<Thread> threads = new ArrayList<>();
    for (Runnable part : parts) {
      Thread thread = new Thread(part);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void entering_cancelling_and_the_timer_lose_nobody() {
    Lincheck.runConcurrentTest(INVOCATIONS, () -> enterCancelTimer(PacerLincheckTest::real));
    Lincheck.runConcurrentTest(INVOCATIONS, () -> cancelTimer(PacerLincheckTest::real));
  }

  @Test
  void entering_expiring_and_closing_lose_nobody() {
    Lincheck.runConcurrentTest(
        INVOCATIONS,
        () -> {
          Scenario scenario = new Scenario();
          Caller first = scenario.caller(Duration.ofSeconds(60));
          Caller second = scenario.caller(Duration.ofMillis(1_500));
          together(
              () -> scenario.pacer.enter(first.waiter, 0),
              () -> scenario.pacer.enter(second.waiter, 0),
              scenario.pacer::close);
          scenario.settle();
        });
  }

  @Test
  void a_permit_that_comes_back_while_others_enter_is_given_once() {
    Lincheck.runConcurrentTest(
        INVOCATIONS,
        () -> {
          Scenario scenario = new Scenario();
          Caller first = scenario.caller(Duration.ofSeconds(60));
          Caller second = scenario.caller(Duration.ofSeconds(60));
          together(
              () -> scenario.pacer.giveBack(0, new long[] {1}),
              () -> scenario.pacer.enter(first.waiter, 0),
              () -> scenario.pacer.enter(second.waiter, 0));
          for (int at = 3; at < 8; at++) {
            scenario.time.moveTo(Duration.ofSeconds(at).toNanos());
          }
          check(first.granted() && second.granted(), "a permit was lost");
          check(first.told.get() == 1 && second.told.get() == 1, "somebody was told twice");
        });
  }

  @Test
  void a_planted_cancellation_without_the_lock_is_found() {
    assertThatThrownBy(
            () ->
                Lincheck.runConcurrentTest(
                    INVOCATIONS, () -> cancelTimer(PacerLincheckTest::cancellingBlindly)))
        .isInstanceOf(LincheckAssertionError.class);
  }

  @Test
  void a_planted_entrance_that_forgets_to_look_again_is_found() {
    assertThatThrownBy(
            () ->
                Lincheck.runConcurrentTest(
                    INVOCATIONS, () -> enterCancelTimer(PacerLincheckTest::lookingFirst)))
        .isInstanceOf(LincheckAssertionError.class);
  }

  private interface Doors {
    Door of(Scenario scenario);
  }

  private static void enterCancelTimer(Doors doors) {
    Scenario scenario = new Scenario();
    Door door = doors.of(scenario);
    Caller first = scenario.caller(Duration.ofSeconds(60));
    Caller second = scenario.caller(Duration.ofSeconds(60));
    door.enter(first.waiter);
    together(
        () -> door.enter(second.waiter),
        () -> door.cancel(second.waiter),
        () -> scenario.time.moveTo(Duration.ofSeconds(2).toNanos()));
    scenario.settle();
  }

  /** One that waits already: whichever goes first, a cancellation has something to get wrong. */
  private static void cancelTimer(Doors doors) {
    Scenario scenario = new Scenario();
    Door door = doors.of(scenario);
    Caller first = scenario.caller(Duration.ofSeconds(60));
    Caller second = scenario.caller(Duration.ofSeconds(60));
    door.enter(first.waiter);
    door.enter(second.waiter);
    together(
        () -> door.cancel(second.waiter),
        () -> scenario.time.moveTo(Duration.ofSeconds(2).toNanos()));
    scenario.settle();
  }

  private static Door real(Scenario scenario) {
    return new Door() {
      @Override
      public void enter(Waiter waiter) {
        scenario.pacer.enter(waiter, 0);
      }

      @Override
      public boolean cancel(Waiter waiter) {
        // A caller is cancelled only once it has entered, as a passage sees to.
        return waiter.state != Waiter.State.NEW
            && scenario.pacer.cancel(waiter, RefusalReason.CANCELLED);
      }
    };
  }

  /** Tells a cancelled caller at once, whatever the pacer is about to do with it. */
  private static Door cancellingBlindly(Scenario scenario) {
    return new Door() {
      @Override
      public void enter(Waiter waiter) {
        scenario.pacer.enter(waiter, 0);
      }

      @Override
      public boolean cancel(Waiter waiter) {
        if (waiter.state == Waiter.State.WAITING) {
          waiter.to.settled(waiter);
          return scenario.pacer.cancel(waiter, RefusalReason.CANCELLED);
        }
        return false;
      }
    };
  }

  /** Grants a caller that saw a free schedule, though another may have taken it since. */
  private static Door lookingFirst(Scenario scenario) {
    return new Door() {
      @Override
      public void enter(Waiter waiter) {
        if (scenario.store.waitNanos(GROUP, new long[] {0}, waiter.cost) == 0) {
          scenario.pacer.enter(waiter, 0);
        }
      }

      @Override
      public boolean cancel(Waiter waiter) {
        return false;
      }
    };
  }
}
