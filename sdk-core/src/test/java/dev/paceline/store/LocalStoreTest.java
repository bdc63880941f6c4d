package dev.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.limit.Limit;
import dev.paceline.testkit.VirtualTime;
import dev.paceline.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LocalStoreTest {

  private static final long[] ONE = {1};

  private final VirtualTime time = VirtualTime.create();

  private static Group group(String owner, Limit... limits) {
    return new Group(new GroupKey("up", owner, "*"), List.of(limits));
  }

  private static Limit perSecond(long permits) {
    return Limit.of(permits).per(Duration.ofSeconds(1));
  }

  private static long firstStart(LocalStore store, Group group, int permits) {
    AtomicReference<Reply> reply = new AtomicReference<>();
    store.ask(new Ask(group, ONE, permits, 20_000, Long.MAX_VALUE, 0), reply::set);
    return reply.get().starts()[0];
  }

  @Test // LC-01
  void a_debt_outlives_the_capacity_and_new_keys_share_a_paced_schedule() {
    LocalStore store = LocalStore.withCapacity(time, 100);
    Limit limit = Limit.of(1).per(Duration.ofMinutes(1));
    assertThat(store.tryTake(List.of(group("a", limit)), List.of(ONE))).isTrue();
    int taken = 0;
    for (int i = 0; i < 1_000; i++) {
      taken += store.tryTake(List.of(group("k" + i, limit)), List.of(ONE)) ? 1 : 0;
    }
    assertThat(taken).isEqualTo(100);
    assertThat(store.size()).isEqualTo(101);
    assertThat(store.waitNanos(group("a", limit), new long[] {0}, ONE))
        .isEqualTo(Duration.ofMinutes(1).toNanos());
  }

  @Test
  void schedules_leave_when_they_are_as_good_as_new_and_not_before() {
    LocalStore store = LocalStore.create(time);
    Limit slow = Limit.of(1).per(Duration.ofMinutes(1));
    for (int i = 0; i < 1_000; i++) {
      store.tryTake(List.of(group("k" + i, slow)), List.of(ONE));
    }
    time.advance(Duration.ofSeconds(59));
    assertThat(store.size()).isEqualTo(1_000);
    time.advance(Duration.ofSeconds(59));
    assertThat(store.size()).isEqualTo(1_000);
    time.advance(Duration.ofSeconds(7));
    assertThat(store.size()).isZero();
    assertThat(time.nextTimer()).isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
  }

  @Test
  void where_room_is_short_schedules_leave_as_soon_as_they_are_as_good_as_new() {
    LocalStore store = LocalStore.withCapacity(time, 100);
    for (int i = 0; i < 60; i++) {
      store.tryTake(List.of(group("k" + i, perSecond(1))), List.of(ONE));
    }
    time.advance(Duration.ofSeconds(5));
    assertThat(store.size()).isZero();
  }

  @Test
  void a_million_keys_that_fall_idle_give_their_memory_back() {
    long before = usedHeap();
    LocalStore store = LocalStore.create(time);
    LocalKeys keys = store.keys("up", "*", List.of(perSecond(10)));
    for (int i = 0; i < 1_000_000; i++) {
      assertThat(keys.tryTake("tenant-" + i)).isTrue();
    }
    long full = usedHeap() - before;
    assertThat(store.size()).isEqualTo(1_000_000);
    time.advance(Duration.ofSeconds(66));
    assertThat(store.size()).isZero();
    long left = usedHeap() - before;
    // What is left is the table, which does not shrink: two million references.
    assertThat(left).isLessThan(full / 5);
    assertThat(keys.tryTake("tenant-0")).isTrue();
  }

  private static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Test // LC-04
  void a_key_that_leaves_while_it_is_looked_up_never_has_two_live_schedules() throws Exception {
    LocalStore store = LocalStore.withCapacity(TimeSource.system(), 64);
    LocalKeys keys = store.keys("up", "*", List.of(Limit.of(1).per(Duration.ofMillis(1))));
    LocalRule rule = keys.rule();
    AtomicBoolean done = new AtomicBoolean();
    AtomicLong taken = new AtomicLong();
    long start = System.nanoTime();
    Thread sweeper =
        new Thread(
            () -> {
              while (!done.get()) {
                rule.sweep(0);
              }
            });
    sweeper.start();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> futures = new ArrayList<>();
      for (int t = 0; t < 8; t++) {
        futures.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 1_000_000; i++) {
                    if (keys.tryTake("k" + i % 2)) {
                      taken.incrementAndGet();
                    }
                  }
                }));
      }
      for (Future<?> future : futures) {
        future.get();
      }
    } finally {
      threads.shutdownNow();
      done.set(true);
      sweeper.join();
    }
    long millis = (System.nanoTime() - start) / 1_000_000 + 1;
    // Two live schedules of one key would admit up to twice as much.
    assertThat(taken.get()).isPositive().isLessThanOrEqualTo(2 * (millis + 1));
  }

  @Test // LC-02
  void a_cooldown_ends_at_its_own_time_however_often_it_is_looked_at() {
    LocalStore store = LocalStore.create(time);
    Group ten = group("a", perSecond(10));
    store.cooldown(ten, Duration.ofSeconds(5));
    for (int i = 0; i < 49; i++) {
      time.advance(Duration.ofMillis(100));
      store.cooldown(ten, Duration.ofMillis(1));
      assertThat(store.tryTake(List.of(ten), List.of(ONE))).isFalse();
    }
    time.advance(Duration.ofMillis(100));
    assertThat(store.tryTake(List.of(ten), List.of(ONE))).isTrue();
  }

  @Test
  void all_groups_are_charged_or_none() {
    LocalStore store = LocalStore.create(time);
    Group narrow = group("narrow", perSecond(100).burst(10));
    Group wide = group("wide", perSecond(1));
    List<Group> both = List.of(narrow, wide);
    List<long[]> costs = List.of(ONE, ONE);
    assertThat(store.tryTake(both, costs)).isTrue();
    for (int i = 0; i < 20; i++) {
      assertThat(store.tryTake(both, costs)).isFalse();
    }
    assertThat(store.decide(List.of(narrow), List.of(ONE)).remaining()).isEqualTo(8);
  }

  @Test // RS-10
  void a_changed_limit_keeps_its_debt_in_permits() {
    LocalStore store = LocalStore.create(time);
    for (int i = 0; i < 10; i++) {
      store.tryTake(List.of(group("a", perSecond(1).burst(10))), List.of(ONE));
    }
    Group faster = group("a", perSecond(2).burst(10));
    assertThat(store.waitNanos(faster, new long[] {0}, ONE))
        .isEqualTo(Duration.ofMillis(500).toNanos());
  }

  @Test
  void refusals_and_looks_in_between_add_no_debt() {
    LocalStore store = LocalStore.create(time);
    Group three = group("a", perSecond(3).burst(3));
    List<Group> groups = List.of(three);
    for (int i = 0; i < 3; i++) {
      assertThat(store.decide(groups, List.of(ONE)).allowed()).isTrue();
    }
    for (int i = 0; i < 10_000; i++) {
      assertThat(store.decide(groups, List.of(ONE)).allowed()).isFalse();
      store.view(three);
    }
    time.advance(Duration.ofSeconds(1));
    for (int i = 0; i < 3; i++) {
      assertThat(store.tryTake(groups, List.of(ONE))).isTrue();
    }
  }

  @ParameterizedTest // CK-05
  @ValueSource(longs = {0, -1_000_000_000L, Long.MIN_VALUE, Long.MAX_VALUE - 1_000_000_000L})
  void any_origin_of_the_clock_gives_the_same_schedule(long origin) {
    VirtualTime own = VirtualTime.startingAt(origin, Instant.EPOCH);
    LocalStore store = LocalStore.create(own);
    Group ten = group("a", perSecond(10));
    LocalPermits permits = store.permits(ten);
    List<Long> taken = new ArrayList<>();
    for (int ms = 0; ms < 5_000; ms += 10) {
      if (permits.tryTake()) {
        taken.add((long) ms);
      }
      own.advance(Duration.ofMillis(10));
    }
    assertThat(taken).hasSize(50).startsWith(0L, 100L, 200L).endsWith(4_900L);
    assertThat(firstStart(store, ten, 1) - origin).isEqualTo(5_000_000_000L);
  }

  @Test
  void a_hundred_threads_never_get_more_than_the_bound() throws Exception {
    TimeSource real = TimeSource.system();
    LocalStore store = LocalStore.create(real);
    Group group = group("a", perSecond(1_000).burst(7));
    LocalPermits permits = store.permits(group);
    AtomicLong taken = new AtomicLong();
    long began = real.nanoTime();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      boolean locked = i % 10 == 0;
      Thread thread =
          new Thread(
              () -> {
                for (int j = 0; j < 2_000; j++) {
                  boolean got =
                      locked
                          ? store.decide(List.of(group), List.of(ONE)).allowed()
                          : permits.tryTake();
                  if (got) {
                    taken.incrementAndGet();
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    long micros = (real.nanoTime() - began) / 1_000;
    assertThat(taken.get()).isPositive().isLessThanOrEqualTo(7 + micros / 1_000 + 1);
  }
}
