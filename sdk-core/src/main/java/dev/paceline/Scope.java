package dev.paceline;

import dev.paceline.event.Event;
import dev.paceline.event.EventListener;
import dev.paceline.event.RefusalReason;
import dev.paceline.limit.Decision;
import dev.paceline.limit.Limit;
import dev.paceline.pace.Passage;
import dev.paceline.pace.Stage;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.LocalPermits;
import dev.paceline.store.LocalStore;
import dev.paceline.store.ScheduleStore;
import dev.paceline.store.Slot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The groups of limits that a call passes, narrowest first. Thread-safe; the same for all calls of
 * one kind.
 */
public final class Scope {

  private final Engine engine;
  private final List<Stage> plain;
  private final List<Group> groups;
  private final List<long[]> plainCosts;
  private final @Nullable LocalPermits permits;

  /** Null where calls in flight are not limited. */
  private final @Nullable Caps caps;

  /** What responses teach the rate of. */
  private final @Nullable Group taught;

  private final boolean probes;

  /** The same groups under limits that were learned since. */
  private volatile @Nullable Scope successor;

  Scope(Engine engine, List<Group> groups) {
    this.engine = engine;
    this.groups = List.copyOf(groups);
    this.probes = engine.probes().concern(groups);
    this.caps = Caps.of(engine.store().slots(), groups, engine.inFlight());
    this.taught = taught(this.groups);
    this.plain = stages(AcquireOptions.standard());
    this.plainCosts = plain.stream().map(Stage::cost).toList();
    this.permits =
        engine.local() != null && groups.size() == 1 && costsOneEach()
            ? engine.local().permits(groups.get(0))
            : null;
  }

  /** Only such a call can be granted by {@link LocalPermits}. */
  private boolean costsOneEach() {
    return plainCosts.size() == 1 && Arrays.stream(plainCosts.get(0)).allMatch(cost -> cost == 1);
  }

  Engine engine() {
    return engine;
  }

  /** The groups, narrowest first; empty if nothing limits the call. */
  public List<Group> groups() {
    return groups;
  }

  /** What is known here of each group now, with what responses have taught, narrowest first. */
  public List<ScheduleState> states() {
    return latest().groups.stream()
        .map(of -> new ScheduleState(of.key(), of.limits(), engine.store().view(of)))
        .toList();
  }

  private List<Stage> stages(AcquireOptions options) {
    List<Stage> stages = new ArrayList<>(groups.size());
    for (Group group : groups) {
      long[] cost = new long[group.limits().size()];
      long sum = 0;
      for (int i = 0; i < cost.length; i++) {
        cost[i] = options.costIn(group.limits().get(i).unit());
        sum |= cost[i];
      }
      if (sum != 0 || (caps != null && caps.of(group.key()).isPresent())) {
        stages.add(new Stage(group, cost));
      }
    }
    if (stages.isEmpty() && !groups.isEmpty()) {
      // It costs nothing here, but cooldowns hold it, and a retry has its delay.
      stages.add(new Stage(groups.get(0), new long[groups.get(0).limits().size()]));
    }
    return List.copyOf(stages);
  }

  boolean passes(GroupKey key) {
    return groups.stream().anyMatch(group -> group.key().equals(key));
  }

  void succeededBy(Scope next) {
    successor = next;
  }

  private Scope latest() {
    Scope latest = this;
    for (Scope next = successor; next != null; next = next.successor) {
      latest = next;
    }
    if (latest != this) {
      successor = latest;
    }
    return latest;
  }

  /** Asks for the permits of one call. */
  public Acquisition acquire(AcquireOptions options) {
    return successor == null ? start(options) : latest().start(options);
  }

  private Acquisition start(AcquireOptions options) {
    long now = engine.time().nanoTime();
    Acquisition acquisition = new Acquisition(this, options, now);
    List<Stage> stages = options.isPlain() ? plain : stages(options);
    List<Slot> slots = takeNow(stages, options, now);
    if (slots != null) {
      engine.counters().add(Counters.Name.PERMITS);
      if (engine.events() != EventListener.none() && !stages.isEmpty()) {
        String group = stages.get(stages.size() - 1).group().key().toString();
        engine.events().on(new Event.PermitGranted(group, Duration.ZERO));
      }
      acquisition.granted(firstIfAny(new Permit(this, stages, null, slots, now, 0), now));
      return acquisition;
    }
    long maxWait = options.maxWait().map(Nanos::of).orElse(engine.maxWaitNanos());
    Passage.Terms terms =
        new Passage.Terms(
            options.priority(), options.ageOr(now), now + maxWait, options.delayNanos());
    Event wait =
        engine.events() == EventListener.none() || stages.isEmpty()
            ? null
            : wait(stages.get(0), options);
    acquisition.began(engine.pacers().pass(stages, terms, acquisition::ended));
    if (wait != null && !acquisition.isDone()) {
      engine.events().on(wait);
    }
    return acquisition;
  }

  /** Says the least wait that is known; those who are ahead in the queue are not counted. */
  private Event wait(Stage stage, AcquireOptions options) {
    long known =
        engine.store().waitNanos(stage.group(), new long[stage.cost().length], stage.cost());
    long least = known == ScheduleStore.NEVER ? 0 : Math.max(known, options.delayNanos());
    return new Event.WaitBegan(stage.group().key().toString(), Duration.ofNanos(least));
  }

  /** Charges a request that has left without asking: the next ones start later. */
  public void charge(AcquireOptions options) {
    long now = engine.time().nanoTime();
    for (Stage stage : options.isPlain() ? plain : stages(options)) {
      engine.store().settle(stage.group(), now, stage.cost().clone());
    }
  }

  /** Its slots, if the call may start now; null if it has to queue. */
  private @Nullable List<Slot> takeNow(List<Stage> stages, AcquireOptions options, long now) {
    if (stages.isEmpty()) {
      return options.delayNanos() <= 0 ? List.of() : null;
    }
    if (engine.holds().holds(groups) || options.delayNanos() > 0) {
      return null;
    }
    if (caps == null) {
      return take(stages, now) ? List.of() : null;
    }
    List<Slot> slots = engine.local() == null ? List.of() : caps.tryTake();
    if (slots.isEmpty() || take(stages, now)) {
      return slots.isEmpty() ? null : slots;
    }
    slots.forEach(Slot::free);
    return null;
  }

  private boolean take(List<Stage> stages, long now) {
    LocalStore local = engine.local();
    if (local == null) {
      return stages.size() == 1 && engine.pacers().takeAhead(stages.get(0), now);
    }
    if (engine.pacers().anyWaits(stages)) {
      return false;
    }
    if (stages == plain && permits != null) {
      return permits.tryTake();
    }
    List<long[]> costs = stages == plain ? plainCosts : stages.stream().map(Stage::cost).toList();
    List<Group> passed = stages.size() == groups.size() ? groups : groupsOf(stages);
    return local.tryTake(passed, costs);
  }

  /**
   * A request leaves whose permits were granted at {@code start} without a wait.
   *
   * @return whether it is late
   */
  boolean sent(List<Stage> stages, long start, long now) {
    boolean late = false;
    for (Stage stage : stages) {
      late |= engine.pacers().sent(stage, start, now);
    }
    return late;
  }

  /** Gives back permits that were granted at {@code start} without a wait. */
  void giveBack(List<Stage> stages, long start) {
    if (stages == plain && permits != null && permits.tryGiveBack(start)) {
      return;
    }
    for (Stage stage : stages) {
      long[] delta = stage.cost().clone();
      for (int i = 0; i < delta.length; i++) {
        delta[i] = -delta[i];
      }
      engine.store().settle(stage.group(), start, delta);
    }
  }

  /** The narrowest group that has a rate, which responses teach; the widest if none has. */
  private static @Nullable Group taught(List<Group> groups) {
    Group taught = null;
    for (int i = groups.size() - 1; i >= 0; i--) {
      if (taught == null || !InFlightRules.isUnpaced(groups.get(i).limits())) {
        taught = groups.get(i);
      }
    }
    return taught;
  }

  /** The group that {@link #taught(List)} names; only where there are any. */
  Group taught() {
    return Objects.requireNonNull(taught);
  }

  /** What is added to the interval of the group that is taught, in microseconds. */
  long guardMicros() {
    if (permits != null && permits.isPlain()) {
      return 0;
    }
    return engine.store().view(taught()).guard().toNanos() / 1_000;
  }

  private static List<Group> groupsOf(List<Stage> stages) {
    return stages.stream().map(Stage::group).toList();
  }

  boolean tryNow() {
    if (engine.holds().holds(groups) || (caps != null && caps.full().isPresent())) {
      return false;
    }
    if (permits != null) {
      return permits.tryTake();
    }
    if (plain.isEmpty()) {
      return true;
    }
    if (engine.local() != null) {
      return engine.local().tryTake(groupsOf(plain), plainCosts);
    }
    if (take(plain, engine.time().nanoTime())) {
      return true;
    }
    return decide(AcquireOptions.standard()).allowed();
  }

  Decision decide(AcquireOptions options) {
    engine.holds().holds(groups);
    List<Stage> stages = options.isPlain() ? plain : stages(options);
    List<long[]> costs = stages.stream().map(Stage::cost).toList();
    if (engine.local() != null) {
      return engine.local().decide(groupsOf(stages), costs);
    }
    return RemoteDecision.of(engine, stages);
  }

  Permit granted(Passage ended, long asked) {
    long now = engine.time().nanoTime();
    long waited = Math.max(0, now - asked);
    engine.counters().add(Counters.Name.PERMITS);
    if (engine.events() != EventListener.none()) {
      String group = ended.stages().isEmpty() ? "" : ended.last().group().key().toString();
      engine.events().on(new Event.PermitGranted(group, Duration.ofNanos(waited)));
    }
    return firstIfAny(new Permit(this, ended.stages(), ended, ended.slots(), now, waited), now);
  }

  /** After a cooldown, where that is wanted, the others wait for this one's answer. */
  private Permit firstIfAny(Permit permit, long now) {
    if (probes) {
      engine.probes().granted(groups, permit, now);
    }
    return permit;
  }

  boolean probes() {
    return probes;
  }

  PacelineException refusal(Passage ended, AcquireOptions options) {
    Stage stage = ended.last();
    RefusalReason reason = ended.refusal().orElseThrow();
    GroupKey by = stage.group().key();
    Duration needed =
        ended.neededNanos() == ScheduleStore.NEVER
            ? Duration.ZERO
            : Duration.ofNanos(ended.neededNanos());
    if (reason == RefusalReason.DEADLINE) {
      // Who cannot wait at all is refused before there is a look at the slots.
      Optional<GroupKey> full = caps != null && needed.isZero() ? caps.full() : Optional.empty();
      if (engine.spent().hold(stage.group(), engine.time().nanoTime())) {
        reason = RefusalReason.QUOTA_EXHAUSTED;
      } else if (full.isPresent()) {
        reason = RefusalReason.IN_FLIGHT;
        by = full.get();
      }
    }
    engine.counters().add(Counters.refused(reason));
    engine.events().on(new Event.Refused(by.toString(), reason, needed));
    Duration maxWait = options.maxWait().orElseGet(() -> Duration.ofNanos(engine.maxWaitNanos()));
    return engine
        .lines()
        .refused(
            reason,
            reason == RefusalReason.IN_FLIGHT
                ? Refusals.inFlight(by, engine.inFlight().apply(by), maxWait)
                : Refusals.of(reason, stage, needed, maxWait));
  }

  /** The limits, as the words of a message. */
  static String limits(Group group) {
    return String.join(", ", group.limits().stream().map(Limit::toString).toList());
  }
}
