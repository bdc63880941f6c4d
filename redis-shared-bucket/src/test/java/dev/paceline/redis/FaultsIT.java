package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.limit.Limit;
import dev.paceline.limit.LimitState;
import dev.paceline.redis.testing.FaultyProxy;
import dev.paceline.redis.testing.RedisServer;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replies that are lost, late, of others or no replies; servers that go and come. */
class FaultsIT {
  private static int names;

  private RedisServer server;
  private FaultyProxy proxy;
  private RemoteStore store;
  private final Group group =
      new Group(
          new GroupKey("faults", "*", "rule " + ++names),
          List.of(Limit.of(1).per(Duration.ofSeconds(100))));

  @BeforeEach
  void start() {
    server = RedisServer.start();
    proxy = FaultyProxy.before(server);
    store = RedisBuckets.connect(proxy.uri()).open(TimeSource.system());
  }

  @AfterEach
  void stop() {
    store.close();
    proxy.close();
    server.close();
  }

  private CompletableFuture<RemoteReply> ask() {
    RemoteAsk ask = RedisRemoteIT.ask(group, 1, 0, Long.MAX_VALUE);
    return store.ask(ask).toCompletableFuture();
  }

  private static boolean fails(CompletableFuture<?> future) {
    try {
      future.get(5, TimeUnit.SECONDS);
      return false;
    } catch (TimeoutException e) {
      throw new AssertionError("never answered", e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } catch (java.util.concurrent.ExecutionException e) {
      return true;
    }
  }

  /** Reads with a connection of its own how many permits were charged. */
  private long charged() {
    Object stored = server.call("GET", new KeyNames("").of(group.key()));
    if (stored == null) {
      return 0;
    }
    StateText state = StateText.parse((String) stored);
    LimitState.Arrival arrival = (LimitState.Arrival) state.state().limits().get(0);
    return Math.round((arrival.tatMicros() - state.written()) / 100e6);
  }

  private void awaitGrant() {
    RedisServer.await("a permit", Duration.ofSeconds(20), () -> !fails(ask()));
  }

  /** SC-01. */
  @Test
  void flushed_scripts_cost_no_error_and_no_permit_twice() {
    assertThat(fails(ask())).isFalse();
    List<CompletableFuture<RemoteReply>> inFlight = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      if (i % 50 == 25) {
        server.call("SCRIPT", "FLUSH");
      }
      inFlight.add(ask());
    }
    assertThat(inFlight).noneMatch(FaultsIT::fails);
    assertThat(inFlight.stream().map(reply -> reply.join().starts()[0]).distinct()).hasSize(200);
    assertThat(charged()).isEqualTo(201);
  }

  /** SC-02, RO-04. */
  @Test
  void lost_reply_is_charged_once_and_hands_nobody_anothers_permit() {
    assertThat(fails(ask())).isFalse();
    proxy.dropNextReply();
    CompletableFuture<RemoteReply> lost = ask();
    CompletableFuture<RemoteReply> next = ask();
    // The next one's reply comes as the answer to the lost one, whose number it does not have.
    assertThat(fails(lost)).isTrue();
    assertThat(fails(next)).isTrue();
    proxy.pass();
    assertThat(charged()).isEqualTo(3);
    awaitGrant();
    assertThat(charged()).isEqualTo(4);
  }

  /** SC-02, SC-03, RO-04. */
  @Test
  void rubbish_is_never_a_grant() {
    proxy.answerRubbish();
    List<CompletableFuture<RemoteReply>> asked = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      asked.add(ask());
    }
    assertThat(asked).allMatch(FaultsIT::fails);
    proxy.pass();
    awaitGrant();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*4\r\n$1\r\n3\r\n:1\r\n:0\r\n$3\r\n1 1\r\n",
        "*0\r\n",
        ":1\r\n",
        "$-1\r\n",
        "+OK\r\n",
        "*2\r\n$-1\r\n:1\r\n",
        "-ERR no\r\n",
        "-NOSCRIPT no\r\n",
        "*1\r\n*1\r\n:1\r\n"
      })
  void reply_of_another_shape_is_a_failure(String wire) {
    proxy.answer(wire);
    assertThat(fails(ask())).isTrue();
    assertThat(fails(store.heartbeat(true).toCompletableFuture())).isTrue();
  }

  /**
   * Also the one on which messages come, of which some may be lost: what they said is read again.
   */
  @Test // SH-04
  void silent_connections_are_replaced() {
    AtomicInteger resubscribed = new AtomicInteger();
    store.subscribe(new Subscriptions(resubscribed));
    assertThat(fails(ask())).isFalse();
    proxy.swallowReplies();
    CompletableFuture<RemoteReply> lost = ask();
    RedisServer.await(
        "the heartbeats find it silent",
        Duration.ofSeconds(20),
        () -> {
          var unused = store.heartbeat(true);
          return lost.isDone();
        });
    assertThat(fails(lost)).isTrue();
    proxy.pass();
    awaitGrant();
    RedisServer.await(
        "subscribed again",
        Duration.ofSeconds(20),
        () -> {
          var unused = store.heartbeat(true);
          return resubscribed.get() > 0;
        });
  }

  private record Subscriptions(AtomicInteger again) implements RemoteStore.RemoteListener {
    @Override
    public void cooldown(GroupKey group, long generation, long micros) {}

    @Override
    public void moved(GroupKey group, long micros) {}

    @Override
    public void resubscribed() {
      again.incrementAndGet();
    }
  }

  @Test // RO-02
  void commands_fail_at_once_while_there_is_no_server_and_are_not_executed_later() {
    assertThat(fails(ask())).isFalse();
    server.kill();
    proxy.refuse();
    RedisServer.await("the loss is noticed", Duration.ofSeconds(5), () -> fails(ask()));
    for (int i = 0; i < 1_000; i++) {
      assertThat(ask()).isCompletedExceptionally();
    }
    server.restart();
    proxy.pass();
    awaitGrant();
    assertThat(charged()).isOne();
  }

  @Test
  void paused_server_answers_when_it_goes_on() {
    assertThat(fails(ask())).isFalse();
    server.pause();
    CompletableFuture<RemoteReply> waiting = ask();
    assertThat(waiting).isNotDone();
    server.resume();
    assertThat(fails(waiting)).isFalse();
    assertThat(waiting.join().kind()).isEqualTo(Kind.RESERVED);
  }

  /** RS-13. */
  @Test
  void full_server_is_a_failure() {
    server.call("CONFIG", "SET", "maxmemory", "1");
    assertThat(fails(ask())).isTrue();
    assertThat(fails(store.heartbeat(true).toCompletableFuture())).isTrue();
    assertThat(fails(store.heartbeat(false).toCompletableFuture())).isTrue();
    server.call("CONFIG", "SET", "maxmemory", "0");
    assertThat(fails(ask())).isFalse();
  }

  /** SC-04, SC-05. */
  @Test
  void only_declared_keys_are_used() {
    try (dev.paceline.redis.testing.RawRedis monitor =
        new dev.paceline.redis.testing.RawRedis(server.port())) {
      monitor.call("MONITOR");
      Group second = new Group(new GroupKey("faults", "*", "other"), group.limits());
      List<RemoteAsk> both =
          List.of(
              RedisRemoteIT.ask(group, 1, 0, Long.MAX_VALUE),
              RedisRemoteIT.ask(second, 1, 0, Long.MAX_VALUE));
      RedisRemoteIT.get(store.askAll(both));
      RedisRemoteIT.get(store.heartbeat(true));
      server.call("ECHO", "end");
      List<String> used = new ArrayList<>();
      for (String line = (String) monitor.read();
          !line.contains("\"ECHO\"");
          line = (String) monitor.read()) {
        if (line.contains(" lua] ") && line.contains("pl1:")) {
          used.add(line.replaceFirst(".*lua\\] \"\\w+\" \"([^\"]*)\".*", "$1"));
        }
      }
      assertThat(used)
          .isNotEmpty()
          .isSubsetOf(
              new KeyNames("").of(group.key()),
              new KeyNames("").of(second.key()),
              "pl1:workers",
              new KeyNames("").rules());
    }
  }
}
