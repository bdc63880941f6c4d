package dev.paceline;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.paceline.event.Event;
import dev.paceline.event.EventListener;
import dev.paceline.feedback.DiscoveredLimit;
import dev.paceline.feedback.Reading;
import dev.paceline.feedback.Resync;
import dev.paceline.feedback.ThrottleKind;
import dev.paceline.feedback.WaitScope;
import dev.paceline.limit.Limit;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What the responses of an upstream teach about its schedules. Thread-safe. */
final class Learning {

  /**
   * What may be learned beside cooldowns and counters.
   *
   * @param guard an addition to the interval of a schedule that is kept and refused all the same
   * @param limits a rate where none is configured
   * @param published the limits that responses publish, in place of the configured rate
   * @param refusalsCount whether what is refused uses quota, too
   */
  record Lessons(boolean guard, boolean limits, boolean published, boolean refusalsCount) {}

  private static final int MOST_GROUPS = 10_000;

  private final Engine engine;
  private final Lessons lessons;

  /** A longer cooldown is stored as this. */
  private final Duration longest;

  private final LearnedLimits learned;
  private final Consumer<GroupKey> relearned;

  /** Holds no debt: what is evicted is learned again. */
  private final Cache<GroupKey, GroupLearning> groups =
      Caffeine.newBuilder().maximumSize(MOST_GROUPS).build();

  Learning(
      Engine engine,
      Lessons lessons,
      Duration longest,
      LearnedLimits learned,
      Consumer<GroupKey> relearned) {
    this.engine = engine;
    this.lessons = lessons;
    this.longest = longest;
    this.learned = learned;
    this.relearned = relearned;
  }

  /**
   * Takes up a response.
   *
   * @param scope what the request passed
   * @param permit the right by which it was sent
   * @param reading what the response says
   */
  void learn(Scope scope, Permit permit, Reading reading) {
    if (reading.ignored() > 0) {
      engine.counters().add(Counters.Name.HEADERS_IGNORED, reading.ignored());
    }
    if (reading.throttled()) {
      engine.counters().add(Counters.Name.THROTTLED);
      reading
          .effectiveWait()
          .filter(wait -> !wait.isZero())
          .ifPresent(wait -> cool(held(scope, reading.scope()), wait, reading.kind()));
    }
    if (scope.probes()) {
      engine.probes().answered(scope.groups(), permit, reading.throttled());
    }
    if (scope.groups().isEmpty()) {
      return;
    }
    Group group = scope.taught();
    GroupLearning learning = groups.getIfPresent(group.key());
    if (learning == null) {
      learning = groups.get(group.key(), key -> new GroupLearning(group, engine.time().nanoTime()));
    }
    countOutcome(scope, permit, learning, reading);
    if (reading.windows().isEmpty()) {
      return;
    }
    for (Resync counters : Resync.of(reading)) {
      if (learning.takes(counters, reading.bucket(), permit.sentNanos())) {
        resync(group, learning, counters, reading.retryAfter());
      }
    }
    if (lessons.published()) {
      DiscoveredLimit.of(reading).stream().findFirst().ifPresent(found -> adopt(group, found));
    }
  }

  /** The groups that wait. Where only a route is meant, a rule for all routes goes on. */
  private static List<Group> held(Scope scope, WaitScope by) {
    List<Group> groups = scope.groups();
    if (groups.isEmpty()) {
      return groups;
    }
    if (by == WaitScope.UPSTREAM) {
      return List.of(Holds.of(groups.get(0).key().upstream()));
    }
    Group narrowest = groups.get(0);
    boolean everyRoute = Upstream.isWide(narrowest.key().rule());
    return by == WaitScope.RULE || !everyRoute ? List.of(narrowest) : List.of();
  }

  private void cool(List<Group> held, Duration wait, ThrottleKind kind) {
    Duration lasting = wait.compareTo(longest) > 0 ? longest : wait;
    for (Group group : held) {
      if (kind == ThrottleKind.QUOTA_EXHAUSTED) {
        engine.spent().note(group.key(), lasting);
      }
      engine.store().cooldown(group, lasting);
      engine.counters().add(Counters.Name.COOLDOWNS);
      engine.lines().cooldown(group.key().toString(), lasting);
      tell(new Event.CooldownBegan(group.key().toString(), lasting, false));
    }
  }

  private void countOutcome(Scope scope, Permit permit, GroupLearning learning, Reading reading) {
    boolean refused = reading.throttled() && reading.kind() == ThrottleKind.SHORT;
    boolean otherwise = reading.throttled() && !refused;
    boolean used = !reading.throttled() || lessons.refusalsCount();
    Group group = scope.taught();
    boolean limited = !Upstream.isUnlimited(group.key().rule());
    if (!otherwise && !limited && lessons.limits()) {
      learning
          .rate(refused, used, permit.sentNanos(), engine.time().nanoTime())
          .ifPresent(rate -> relearn(group, rate));
    } else if (!otherwise && limited && lessons.guard() && !permit.wasLate()) {
      learning.guard(refused, used, scope.guardMicros()).ifPresent(micros -> guard(group, micros));
    } else {
      learning.answered(used);
    }
  }

  private void relearn(Group group, double perSecond) {
    if (learned.put(group.key(), LearnedLimits.steady(perSecond))) {
      relearned.accept(group.key());
      engine.lines().learned(group.key().toString(), perSecond);
      tell(new Event.LimitLearned(group.key().toString(), perSecond));
    }
  }

  private void guard(Group group, long micros) {
    Duration guard = Duration.of(micros, ChronoUnit.MICROS);
    engine.store().guard(group, guard);
    engine.lines().guard(group.key().toString(), guard);
    tell(new Event.GuardChanged(group.key().toString(), guard));
  }

  /** Slows the schedule to what the provider has left, if it would take more until the reset. */
  private void resync(
      Group group, GroupLearning learning, Resync counters, Optional<Duration> told) {
    int limit = requestsLimit(group);
    if (limit < 0) {
      return;
    }
    Duration reset = counters.reset().orElse(Duration.ZERO);
    if (reset.isZero() && counters.remaining() == 0) {
      reset = told.or(counters::window).orElseGet(() -> interval(group.limits().get(limit)));
    }
    if (reset.isZero() || reset.compareTo(longest) > 0) {
      return;
    }
    long unsent = Math.max(0, counters.remaining() - engine.pacers().reserved(group.key()));
    int workers = engine.store().view(group).workers();
    long left = learning.ours(unsent, counters, reset.toNanos(), engine.time().nanoTime(), workers);
    if (left == 0 || takesMoreThan(left, limit, group, reset)) {
      engine.store().slow(group, limit, left, reset);
    }
  }

  private boolean takesMoreThan(long left, int limit, Group group, Duration reset) {
    long[] ahead = new long[group.limits().size()];
    long[] one = new long[group.limits().size()];
    ahead[limit] = left;
    one[limit] = 1;
    return engine.store().waitNanos(group, ahead, one) < reset.toNanos();
  }

  private static int requestsLimit(Group group) {
    for (int i = 0; i < group.limits().size(); i++) {
      if (group.limits().get(i).unit().equals(AcquireOptions.REQUESTS)) {
        return i;
      }
    }
    return -1;
  }

  private static Duration interval(Limit limit) {
    return Duration.of(Math.max(1, limit.periodMicros() / limit.permits()), ChronoUnit.MICROS);
  }

  private void adopt(Group group, DiscoveredLimit found) {
    boolean configured = !Upstream.isUnlimited(group.key().rule());
    Optional<List<Limit>> limits = LearnedLimits.at(found, group, configured);
    if (limits.isPresent() && learned.put(group.key(), limits.get())) {
      relearned.accept(group.key());
      double seconds = found.interval().toNanos() / 1e9;
      double perSecond = seconds > 0 ? 1 / seconds : 0;
      engine.lines().learned(group.key().toString(), perSecond);
      tell(new Event.LimitLearned(group.key().toString(), perSecond));
    }
  }

  private void tell(Event event) {
    if (engine.events() != EventListener.none()) {
      engine.events().on(event);
    }
  }
}
