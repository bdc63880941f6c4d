package dev.paceline.pace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.event.RefusalReason;
import dev.paceline.limit.Limit;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.LocalStore;
import dev.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PacerTest {

  private static final long FOREVER = Long.MAX_VALUE / 4;

  private final VirtualTime time = VirtualTime.create();
  private final LocalStore store = LocalStore.create(time);
  private final Pacers pacers =
      new Pacers(store, time, Pace.standard(), key -> 2_000, key -> Optional.empty());
  private final List<String> score = new ArrayList<>();

  private static Stage stage(String rule, Limit limit) {
    return stage(rule, limit, 1);
  }

  private static Stage stage(String rule, Limit limit, long cost) {
    Group group = new Group(new GroupKey("up", "*", rule), List.of(limit));
    return new Stage(group, new long[] {cost});
  }

  private Passage call(String name, long waitMillis, int priority, Stage... stages) {
    long now = time.nanoTime();
    long deadline = waitMillis < 0 ? now + FOREVER : now + waitMillis * 1_000_000;
    return pacers.pass(
        List.of(stages), new Passage.Terms(priority, now, deadline, 0), end -> note(name, end));
  }

  private void note(String name, Passage end) {
    String what = end.refusal().map(reason -> " " + reason + " needs " + millis(end)).orElse("");
    score.add(name + "@" + time.elapsed().toMillis() + what);
  }

  private static long millis(Passage end) {
    return end.neededNanos() / 1_000_000;
  }

  private static Limit perSecond(long permits) {
    return Limit.of(permits).per(Duration.ofSeconds(1));
  }

  @Test
  void callers_leave_one_interval_apart() {
    Stage ten = stage("ten", perSecond(10));
    for (int i = 0; i < 5; i++) {
      call("c" + i, -1, 0, ten);
    }
    time.advance(Duration.ofSeconds(1));
    assertThat(score).containsExactly("c0@0", "c1@100", "c2@200", "c3@300", "c4@400");
  }

  @Test // WB-04
  void a_deadline_that_cannot_be_met_is_refused_at_once_and_costs_no_permit() {
    Stage one = stage("one", perSecond(1));
    for (int i = 0; i < 13; i++) {
      call("q" + i, -1, 0, one);
    }
    score.clear();
    call("a", 5_000, 0, one);
    assertThat(score).containsExactly("a@0 DEADLINE needs 13000");
    call("b", 60_000, 0, one);
    time.advance(Duration.ofSeconds(20));
    assertThat(score).endsWith("b@13000");
  }

  @Test // CA-05
  void cancelled_waits_leave_no_debt() {
    Stage one = stage("one", perSecond(1));
    call("first", -1, 0, one);
    for (int i = 0; i < 1_000; i++) {
      Passage waiting = call("w", -1, 0, one);
      waiting.cancel();
    }
    assertThat(score.get(1_000)).startsWith("w@0 CANCELLED");
    call("live", -1, 0, one);
    time.advance(Duration.ofSeconds(5));
    assertThat(score).endsWith("live@1000");
  }

  @Test
  void a_high_priority_caller_takes_the_next_permit_and_the_low_ones_still_leave() {
    Stage hundred = stage("hundred", perSecond(100));
    for (int i = 0; i < 1_000; i++) {
      call("low", -1, 0, hundred);
    }
    time.advance(Duration.ofMillis(35));
    score.clear();
    call("high", -1, 5, hundred);
    time.advance(Duration.ofMillis(20));
    assertThat(score.subList(0, 2)).contains("high@40");
    time.advance(Duration.ofSeconds(20));
    assertThat(score).hasSize(1_001 - 4);
  }

  @Test
  void every_tenth_permit_goes_to_the_oldest() {
    Stage hundred = stage("hundred", perSecond(100));
    call("first", -1, 0, hundred);
    call("old", -1, 0, hundred);
    time.advance(Duration.ofNanos(1));
    for (int i = 0; i < 50; i++) {
      call("high", -1, 5, hundred);
    }
    time.advance(Duration.ofMillis(100));
    assertThat(score).contains("old@90");
  }

  @Test
  void a_backlog_on_a_route_does_not_hold_others_of_the_account() {
    Stage account = stage("*", perSecond(100));
    Stage posts = stage("POST", perSecond(20));
    for (int i = 0; i < 100; i++) {
      call("post", -1, 0, posts, account);
    }
    time.advance(Duration.ofMillis(12));
    score.clear();
    call("get", -1, 0, account);
    time.advance(Duration.ofMillis(20));
    assertThat(score).containsExactly("get@12");
    time.advance(Duration.ofSeconds(6));
    assertThat(score).hasSize(100);
  }

  @Test
  void a_cooldown_voids_permits_due_before_its_end_and_resumes_at_the_pace() {
    Stage ten = stage("ten", perSecond(10).burst(5));
    for (int i = 0; i < 8; i++) {
      call("c" + i, -1, 0, ten);
    }
    score.clear();
    store.cooldown(ten.group(), Duration.ofSeconds(2));
    time.advance(Duration.ofSeconds(3));
    assertThat(score).containsExactly("c5@2000", "c6@2100", "c7@2200");
  }

  @Test
  void a_cooldown_refuses_at_once_whoever_cannot_wait_for_its_end() {
    Stage ten = stage("ten", perSecond(10));
    call("c0", 60_000, 0, ten);
    call("c1", 1_000, 0, ten);
    store.cooldown(ten.group(), Duration.ofHours(1));
    assertThat(score).containsExactly("c0@0", "c1@0 DEADLINE needs 3600000");
  }

  @Test
  void closing_refuses_those_too_who_must_not_start_yet() {
    Stage ten = stage("ten", perSecond(10));
    Passage.Terms later = new Passage.Terms(0, 0, FOREVER, Duration.ofHours(1).toNanos());
    pacers.pass(List.of(ten), later, end -> note("later", end));
    call("c0", -1, 0, ten);
    call("c1", -1, 0, ten);
    pacers.close();
    assertThat(score)
        .containsExactlyInAnyOrder("c0@0", "c1@0 CLOSED needs 0", "later@0 CLOSED needs 0");
  }

  @Test
  void the_queue_is_bounded() {
    Stage one = stage("one", perSecond(1));
    for (int i = 0; i < 2_002; i++) {
      call("c", -1, 0, one);
    }
    assertThat(score).hasSize(2).first().isEqualTo("c@0");
    assertThat(score.get(1)).startsWith("c@0 " + RefusalReason.QUEUE_FULL);
  }

  @Test
  void a_cost_beyond_the_capacity_is_refused_at_once() {
    call("big", -1, 0, stage("ten", perSecond(10).burst(5), 6));
    assertThat(score.get(0)).startsWith("big@0 NEVER");
  }

  @Test
  void callers_of_different_costs_leave_in_order_at_exact_times() {
    Limit limit = perSecond(10).burst(3);
    call("a", -1, 0, stage("ten", limit, 3));
    call("b", -1, 0, stage("ten", limit, 2));
    call("c", -1, 0, stage("ten", limit, 1));
    time.advance(Duration.ofSeconds(2));
    assertThat(score).containsExactly("a@0", "b@200", "c@300");
  }
}
