package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.limit.Limit;
import dev.paceline.redis.testing.RedisServer;
import dev.paceline.store.Ask;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.Reply;
import dev.paceline.store.SharedSettings;
import dev.paceline.store.SharedStore;
import dev.paceline.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three workers, of which one is told to wait. */
class SharedCooldownIT {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final List<SharedStore> workers = new ArrayList<>();
  private final Group group =
      new Group(
          new GroupKey("cooldown", "*", "" + System.nanoTime()),
          List.of(Limit.of(1_000).per(SECOND)));

  @BeforeEach
  void start() throws Exception {
    for (int i = 0; i < 3; i++) {
      workers.add(
          SharedStore.start(
              RedisBuckets.connect(RedisServer.shared().uri()).open(TimeSource.system()),
              TimeSource.system(),
              SharedSettings.standard().commandTimeout(Duration.ofSeconds(5))));
      assertThat(ask(workers.get(i)).kind()).isEqualTo(Reply.Kind.RESERVED);
    }
  }

  @AfterEach
  void stop() {
    workers.forEach(SharedStore::close);
  }

  /** For a start within a second. */
  private Reply ask(SharedStore worker) throws Exception {
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    worker.ask(new Ask(group, new long[] {1}, 1, 0, 1_000_000, 0), reply::complete);
    return reply.get(10, TimeUnit.SECONDS);
  }

  private Duration cooldown(SharedStore worker) {
    return worker.view(group).cooldown();
  }

  @Test // SH-01, SH-04
  void cooldown_of_one_holds_the_others_that_were_clear_and_they_need_not_ask_again()
      throws Exception {
    workers.get(0).cooldown(group, Duration.ofSeconds(30));
    assertThat(ask(workers.get(0)).kind()).isEqualTo(Reply.Kind.TOO_LATE);
    for (SharedStore other : workers.subList(1, 3)) {
      RedisServer.await("the message", SECOND, () -> !cooldown(other).isZero());
      assertThat(cooldown(other)).isBetween(Duration.ofSeconds(28), Duration.ofSeconds(30));
      long local = other.stats().localAnswers();
      for (int i = 0; i < 100; i++) {
        assertThat(ask(other).kind()).isEqualTo(Reply.Kind.TOO_LATE);
      }
      assertThat(other.stats().localAnswers() - local).isEqualTo(100);
    }
  }

  @Test // SH-02
  void longer_of_two_cooldowns_told_at_once_stays() {
    workers.get(0).cooldown(group, Duration.ofMinutes(90));
    workers.get(1).cooldown(group, Duration.ofMinutes(1));
    for (SharedStore worker : workers) {
      RedisServer.await(
          "the longer one",
          SECOND,
          () -> cooldown(worker).compareTo(Duration.ofSeconds(5_390)) > 0);
    }
  }
}
