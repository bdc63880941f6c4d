package dev.paceline;

import dev.paceline.pace.Passage;
import dev.paceline.pace.Stage;
import dev.paceline.store.Slot;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The right to send one request now.
 *
 * <p>It is charged already. Where the calls in flight are limited, too, the call counts as one of
 * them until {@link #close}; elsewhere closing does nothing. Thread-safe.
 *
 * <pre>{@code
 * try (Permit permit = limiter.acquire()) {
 *   call();
 * }
 * }</pre>
 */
public final class Permit implements AutoCloseable {

  private static final VarHandle USED;

  static {
    try {
      USED = MethodHandles.lookup().findVarHandle(Permit.class, "used", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** What is sent sooner after it was granted is not late, whatever the limit. */
  private static final long STALL_NANOS = 1_000_000;

  private final Scope scope;
  private final List<Stage> stages;
  private final @Nullable Passage passage;
  private final List<Slot> slots;
  private final long start;
  private final long waitedNanos;
  private volatile long sentNanos;
  private volatile boolean late;

  /** Changed by {@link #USED}: an object less for each call. */
  private volatile boolean used;

  /**
   * A permit.
   *
   * @param start when it was granted: a reading of the ticker
   */
  Permit(
      Scope scope,
      List<Stage> stages,
      @Nullable Passage passage,
      List<Slot> slots,
      long start,
      long waited) {
    this.scope = scope;
    this.stages = stages;
    this.passage = passage;
    this.slots = slots;
    this.start = start;
    this.waitedNanos = waited;
    this.sentNanos = start;
  }

  /** The time from asking to being allowed to send. */
  public Duration waited() {
    return Duration.ofNanos(waitedNanos);
  }

  /** The limits that were charged. */
  public Scope scope() {
    return scope;
  }

  /**
   * Says that the request leaves now. A request that leaves much later than its permit allowed
   * moves the schedule, so that the provider does not see it close to the next. Counts once.
   */
  public void sent() {
    if (!used && USED.compareAndSet(this, false, true)) {
      long now = scope.engine().time().nanoTime();
      sentNanos = now;
      if (passage != null) {
        late = passage.sent(now);
      } else if (now - start > STALL_NANOS) {
        late = scope.sent(stages, start, now);
      }
    }
  }

  /** When the request left: a reading of the ticker; when the permit was given if not told. */
  long sentNanos() {
    return sentNanos;
  }

  /** The groups that were charged, and what. */
  List<Stage> stages() {
    return stages;
  }

  /** Whether the request left so late that the schedule moved. */
  boolean wasLate() {
    return late;
  }

  /** Whether the call counts as one in flight, so that {@link #close} is needed. */
  public boolean isInFlight() {
    return !slots.isEmpty();
  }

  /**
   * The call is over: it is in flight no more, and the next one that waits for that may start. What
   * comes after the first time does nothing.
   */
  @Override
  public void close() {
    for (int i = 0; i < slots.size(); i++) {
      slots.get(i).free();
    }
  }

  /** Gives the permit back, because nothing was sent. Counts once, and not after {@link #sent}. */
  public void giveBack() {
    close();
    if (!used && USED.compareAndSet(this, false, true)) {
      scope.engine().counters().add(Counters.Name.PERMITS_GIVEN_BACK);
      if (passage != null) {
        passage.giveBack();
      } else {
        scope.giveBack(stages, start);
      }
    }
  }

  /**
   * Settles an estimated cost. More than estimated is charged without being refused: the next
   * starts move. Less is given back, down to zero.
   *
   * @param unit as the limits'
   * @param actual what the call really cost; 0 or more
   */
  public void settle(String unit, long actual) {
    if (actual < 0) {
      throw new IllegalArgumentException(
          "actual is " + actual + " " + unit + "; it must not be negative");
    }
    for (int i = 0; i < stages.size(); i++) {
      Stage stage = stages.get(i);
      long[] delta = new long[stage.cost().length];
      boolean changed = false;
      for (int j = 0; j < delta.length; j++) {
        if (stage.group().limits().get(j).unit().equals(unit)) {
          delta[j] = actual - stage.cost()[j];
          changed |= delta[j] != 0;
        }
      }
      if (changed) {
        settle(i, delta);
      }
    }
  }

  private void settle(int stage, long[] delta) {
    long at = passage == null ? start : passage.start(stage);
    scope.engine().store().settle(stages.get(stage).group(), at, delta);
  }
}
