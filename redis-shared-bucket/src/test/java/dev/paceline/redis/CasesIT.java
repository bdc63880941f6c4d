package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.limit.Limit;
import dev.paceline.redis.testing.RawRedis;
import dev.paceline.redis.testing.RedisServer;
import dev.paceline.store.Change;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.RemoteAsk;
import dev.paceline.store.RemoteReply;
import dev.paceline.store.RemoteReply.Kind;
import dev.paceline.store.RemoteStore;
import dev.paceline.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Faults that users of other limiters met in Redis. */
class CasesIT {
  private static RedisServer server;
  private static RemoteStore store;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
    store = RedisBuckets.connect(server.uri()).open(TimeSource.system());
  }

  @AfterAll
  static void stop() {
    store.close();
    server.close();
  }

  private static Group group(String name, Limit... limits) {
    return new Group(new GroupKey("cases", "*", name), List.of(limits));
  }

  private static String key(Group group) {
    return new KeyNames("").of(group.key());
  }

  private static long pttl(String key) {
    return (Long) server.call("PTTL", key);
  }

  /**
   * GM-02: a short interval has a life all the same, and the burst is all that is given at once.
   */
  @Test
  void short_interval_is_stored_and_limits() {
    for (Limit limit :
        List.of(
            Limit.of(1_000).per(Duration.ofMinutes(1)).burst(1_000),
            Limit.of(6_000).per(Duration.ofSeconds(1)).burst(6_000))) {
      Group group = group("GM-02 " + limit, limit);
      long begin = RedisRemoteIT.get(store.ask(RedisRemoteIT.ask(group, 1, 0, 0))).now();
      assertThat(pttl(key(group))).isPositive();
      List<RemoteReply> replies = flood(group, 2 * (int) limit.burst() - 1);
      long granted = 1 + replies.stream().filter(reply -> reply.kind() == Kind.RESERVED).count();
      long elapsed = replies.get(replies.size() - 1).now() - begin;
      long earned = elapsed * limit.permits() / limit.periodMicros() + 1;
      assertThat(granted).isBetween(limit.burst(), limit.burst() + earned);
    }
  }

  /** GM-03: 8,000/s, the key's life a few intervals. */
  @Test
  void hot_key_has_no_script_errors_and_no_more_than_its_rate() {
    Group group = group("GM-03", Limit.of(8_000).per(Duration.ofSeconds(1)));
    List<RemoteReply> replies = flood(group, 200_000);
    long granted = replies.stream().filter(reply -> reply.kind() == Kind.RESERVED).count();
    long elapsed = replies.get(replies.size() - 1).now() - replies.get(0).now();
    assertThat(granted).isBetween(1L, elapsed * 8 / 1_000 + 1);
  }

  /** Asks to start at once, many in flight; any failure is thrown. */
  private static List<RemoteReply> flood(Group group, int asks) {
    Semaphore inFlight = new Semaphore(500);
    List<CompletableFuture<RemoteReply>> asked = new ArrayList<>(asks);
    RemoteAsk ask = RedisRemoteIT.ask(group, 1, 0, 0);
    for (int i = 0; i < asks; i++) {
      inFlight.acquireUninterruptibly();
      CompletableFuture<RemoteReply> reply = store.ask(ask).toCompletableFuture();
      asked.add(reply.whenComplete((done, failure) -> inFlight.release()));
    }
    return asked.stream().map(RedisRemoteIT::get).toList();
  }

  /** CK-01: clocks of workers that are 5 s apart share one schedule. */
  @Test
  void workers_clocks_do_not_matter() {
    try (RemoteStore early =
            RedisBuckets.connect(server.uri()).open(new SkewedTime(Duration.ofSeconds(-5)));
        RemoteStore late = RedisBuckets.connect(server.uri()).open(new SkewedTime(Duration.ZERO))) {
      Group group = group("CK-01", Limit.of(10).per(Duration.ofSeconds(1)));
      RemoteAsk ask = RedisRemoteIT.ask(group, 1, 0, Long.MAX_VALUE);
      long first = RedisRemoteIT.get(early.ask(ask)).starts()[0];
      for (int i = 1; i < 100; i++) {
        RemoteStore next = i % 2 == 0 ? early : late;
        assertThat(RedisRemoteIT.get(next.ask(ask)).starts()).containsExactly(first + i * 100_000L);
      }
    }
  }

  /** RS-01: every key ends, and soon after its schedule is full. */
  @Test
  void every_key_has_an_end_and_none_is_left() throws Exception {
    try (RedisServer own = RedisServer.start();
        RemoteStore other = RedisBuckets.connect(own.uri()).open(TimeSource.system());
        RawRedis redis = new RawRedis(own.port())) {
      List<CompletableFuture<RemoteReply>> asked = new ArrayList<>();
      SplittableRandom random = new SplittableRandom(1);
      for (int i = 0; i < 1_000; i++) {
        long permits = 100L + random.nextInt(100);
        Limit limit = Limit.of(permits).per(Duration.ofSeconds(1));
        Limit changed =
            switch (i % 4) {
              case 0 -> limit.tokenBucket();
              case 1 -> limit.fixedWindow();
              case 2 -> limit.slidingWindowLog();
              default -> limit.slidingWindowCounter();
            };
        String name = "RS-01 " + i;
        asked.add(ask(other, group(name, limit)));
        asked.add(ask(other, group(name, changed)));
        asked.add(
            other
                .change(
                    group(name, changed),
                    SetClock.NO_FLOOR,
                    List.of(new Change.Reconfigure(), new Change.Cooldown(1_000)))
                .toCompletableFuture());
      }
      assertThat(asked).allSatisfy(RedisRemoteIT::get);
      List<String> keys = own.keys("pl1:{*");
      assertThat(keys).hasSizeGreaterThan(900);
      for (String key : keys) {
        // -2 is gone; a second's window and the margin are the longest.
        assertThat((Long) redis.call("PTTL", key)).isNotEqualTo(-1).isLessThan(63_000);
      }
      RedisServer.await(
          "nothing is left but the worker",
          Duration.ofSeconds(20),
          () -> own.keys("pl1:{*").isEmpty());
    }
  }

  private static CompletableFuture<RemoteReply> ask(RemoteStore to, Group group) {
    return to.ask(RedisRemoteIT.ask(group, 1, 0, Long.MAX_VALUE)).toCompletableFuture();
  }

  /** RS-02: a client that dies after any command leaves no immortal key. */
  @Test
  void client_that_dies_leaves_no_immortal_key() {
    Script script = Script.decide();
    server.call("SCRIPT", "LOAD", script.text());
    Group group = group("RS-02", Limit.of(50).per(Duration.ofSeconds(1)));
    List<String> command = new ArrayList<>(List.of("EVALSHA", script.sha(), "1", key(group)));
    command.addAll(
        new AskArguments("w", "pl1:news")
            .of(List.of(RedisRemoteIT.ask(group, 1, 0, Long.MAX_VALUE)), "1", 0));
    try (RawRedis watch = new RawRedis(server.port())) {
      for (int i = 0; i < 1_000; i++) {
        RawRedis dying = new RawRedis(server.port());
        dying.send(command.toArray(String[]::new));
        dying.close(true);
        assertThat(watch.call("PTTL", key(group))).isNotEqualTo(-1L);
      }
    }
  }

  /** RS-05: keys vanish under load. */
  @Test
  void wiped_keys_cause_no_errors() throws Exception {
    Group group = group("RS-05", Limit.of(1_000).per(Duration.ofSeconds(1)).burst(5));
    AtomicInteger failures = new AtomicInteger();
    AtomicInteger answers = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int k = 0; k < 100; k++) {
                  try {
                    RedisRemoteIT.get(store.ask(RedisRemoteIT.ask(group, 1, 0, 0)));
                    answers.incrementAndGet();
                  } catch (AssertionError e) {
                    failures.incrementAndGet();
                  }
                }
              });
      thread.start();
      threads.add(thread);
    }
    while (threads.stream().anyMatch(Thread::isAlive)) {
      server.call("FLUSHDB");
      server.call("DEL", key(group));
    }
    assertThat(failures).hasValue(0);
    assertThat(answers).hasValue(5_000);
  }

  /** SH-02: whichever comes first, the longer cooldown stays. */
  @Test
  void longer_cooldown_stays_in_both_orders() {
    for (List<Long> order : List.of(List.of(5_400L, 60L), List.of(60L, 5_400L))) {
      Group group = group("SH-02 " + order, Limit.of(1).per(Duration.ofSeconds(1)));
      long begin = 0;
      for (long seconds : order) {
        RemoteReply reply =
            RedisRemoteIT.get(
                store.change(
                    group, SetClock.NO_FLOOR, List.of(new Change.Cooldown(seconds * 1_000_000))));
        begin = seconds == 5_400 ? reply.now() : begin;
      }
      RemoteReply after = RedisRemoteIT.get(ask(store, group));
      assertThat(after.starts()).containsExactly(begin + 5_400_000_000L);
    }
  }

  /** A key of the usual length, as it is in use. */
  @Test
  void plain_schedule_takes_little_memory() {
    Group group =
        new Group(
            new GroupKey("s", "*", "*"),
            group("x", Limit.of(3).per(Duration.ofSeconds(1))).limits());
    assertThat(key(group)).hasSize(11);
    for (int i = 0; i < 20; i++) {
      RedisRemoteIT.get(ask(store, group));
    }
    assertThat((Long) server.call("MEMORY", "USAGE", key(group))).isLessThanOrEqualTo(110);
  }
}
