package dev.paceline.pace;

import dev.paceline.event.RefusalReason;
import dev.paceline.store.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One call's way through its groups, from the narrowest to the widest. It enters the next queue
 * when its permit for the one before is due, so it holds nothing of a shared limit while it waits
 * for another.
 *
 * <p>Thread-safe. Ends once, by a permit for every group or by a refusal that holds none.
 */
public final class Passage implements Waiter.Settled {

  /** Told once when a passage has ended; on any thread, so it must be brief. */
  public interface End {
    /** The passage has ended; its outcome can be read. */
    void ended(Passage passage);
  }

  /**
   * How a call waits.
   *
   * @param priority higher goes first
   * @param age when the call first asked: a reading of the ticker
   * @param deadline the latest instant to start: a reading of the ticker
   * @param delayNanos not to start before this from now
   */
  public record Terms(int priority, long age, long deadline, long delayNanos) {}

  private final Pacers pacers;
  private final List<Stage> stages;
  private final Terms terms;
  private final End end;
  private final long[] starts;

  /** Written by whoever passes a stage, before the next is entered. */
  private List<Slot> slots = List.of();

  private volatile boolean cancelled;
  private volatile @Nullable Waiter waiter;
  private volatile int passed;
  private int failedAt;
  private @Nullable RefusalReason refusal;
  private long needed;

  Passage(Pacers pacers, List<Stage> stages, Terms terms, End end) {
    this.pacers = pacers;
    this.stages = stages;
    this.terms = terms;
    this.end = end;
    this.starts = new long[stages.size()];
  }

  void begin() {
    if (stages.isEmpty()) {
      end.ended(this);
    } else {
      enterNext(terms.delayNanos());
    }
  }

  private void enterNext(long delayNanos) {
    Stage stage = stages.get(passed);
    Waiter next = new Waiter(stage.cost(), terms.priority(), terms.age(), terms.deadline(), this);
    waiter = next;
    pacers.enter(stage.group(), next, delayNanos);
    if (cancelled) {
      pacers.cancel(stage.group(), next);
    }
  }

  @Override
  public void settled(Waiter settled) {
    if (settled.state == Waiter.State.GRANTED) {
      int at = passed;
      starts[at] = settled.start;
      keep(settled.slot);
      passed = at + 1;
      if (at + 1 < stages.size()) {
        enterNext(0);
      } else {
        end.ended(this);
      }
    } else {
      refusal = settled.reason;
      failedAt = passed;
      needed = settled.needed;
      giveBack();
      slots.forEach(Slot::free);
      end.ended(this);
    }
  }

  private void keep(@Nullable Slot slot) {
    if (slot != null) {
      slots = slots.isEmpty() ? new ArrayList<>(1) : slots;
      slots.add(slot);
    }
  }

  /** Ends the wait at once, as cancelled; does nothing once the passage has ended. */
  public void cancel() {
    cancelled = true;
    Waiter current = waiter;
    int at = passed;
    if (current != null && at < stages.size()) {
      pacers.cancel(stages.get(at).group(), current);
    }
  }

  /** Gives back, unused, the permits that are held. */
  public void giveBack() {
    for (int i = 0; i < passed; i++) {
      pacers.giveBack(stages.get(i), starts[i]);
    }
    passed = 0;
  }

  /** The request leaves now: late ones move their schedules; whether this one did. */
  public boolean sent(long now) {
    boolean late = false;
    for (int i = 0; i < passed; i++) {
      late |= pacers.sent(stages.get(i), starts[i], now);
    }
    return late;
  }

  /** The slots that the call holds; freed where it was refused. */
  public List<Slot> slots() {
    return slots;
  }

  /** Why the call was refused; empty if it has its permits. */
  public Optional<RefusalReason> refusal() {
    return Optional.ofNullable(refusal);
  }

  /** The group that refused, or the widest one. */
  public Stage last() {
    return stages.get(Math.min(failedAt, stages.size() - 1));
  }

  /** The wait that a refused call would have needed, in nanoseconds. */
  public long neededNanos() {
    return needed;
  }

  /** The start of the permit for each stage: readings of the ticker. */
  public long start(int stage) {
    return starts[stage];
  }

  /** The groups and costs of the call, narrowest first. */
  public List<Stage> stages() {
    return stages;
  }
}
