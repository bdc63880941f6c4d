package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.AcquireOptions;
import dev.paceline.Limiter;
import dev.paceline.Paceline;
import dev.paceline.PacelineBuilder;
import dev.paceline.Permit;
import dev.paceline.Upstream;
import dev.paceline.feedback.HeaderLines;
import dev.paceline.feedback.ResponseFacts;
import dev.paceline.limit.Limit;
import dev.paceline.redis.testing.RawRedis;
import dev.paceline.redis.testing.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a server is left with, and what is done to it, by workers that use all there is. */
class KeysIT {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private static final Map<String, Limit> LIMITS =
      Map.of(
          "gcra", Limit.of(400).per(SECOND).burst(20),
          "bucket", Limit.of(400).per(SECOND).tokenBucket(50),
          "fixed", Limit.of(100).per(SECOND).fixedWindow(),
          "log", Limit.of(100).per(SECOND).slidingWindowLog(),
          "counter", Limit.of(100).per(SECOND).slidingWindowCounter());

  private static final List<String> OWNERS =
      List.of("plain", "{", "}", "a{b}c", "}{", "two words", "a:b", "%7B", "ключ", "🚦", "x\ny");

  /** Commands that touch no key, and those that only run a script. */
  private static final Set<String> HARMLESS =
      Set.of(
          "EVALSHA",
          "EVAL",
          "HELLO",
          "CLIENT",
          "AUTH",
          "PING",
          "SUBSCRIBE",
          "UNSUBSCRIBE",
          "TIME",
          "INFO",
          "ROLE",
          "COMMAND",
          "MONITOR",
          "ECHO");

  /** Atomic: nothing can come and go between the look at a key's name and at its life. */
  private static final String WITHOUT_TTL =
      """
      local bad = {}
      for _, key in ipairs(redis.call('KEYS', '*')) do
        if redis.call('PTTL', key) < 0 then bad[#bad + 1] = key end
      end
      return bad
      """;

  private static Paceline worker(RedisBuckets buckets) {
    PacelineBuilder builder = Paceline.builder().sharedThrough(buckets);
    LIMITS.forEach((name, limit) -> builder.upstream(name, u -> u.limit(limit).sharedLimit(limit)));
    return builder.build();
  }

  private static void use(Paceline worker) throws Exception {
    List<Permit> permits = new ArrayList<>();
    for (String name : LIMITS.keySet()) {
      for (String owner : OWNERS) {
        Limiter limiter = worker.limiter(name, owner);
        permits.add(limiter.acquire(AcquireOptions.standard().cost(AcquireOptions.REQUESTS, 2)));
      }
    }
    permits.forEach(Permit::sent);
    permits.forEach(permit -> permit.settle(AcquireOptions.REQUESTS, 1));
    for (Upstream upstream : worker.upstreams()) {
      Permit permit = worker.limiter(upstream.name(), "told").acquire();
      HeaderLines headers = HeaderLines.of("retry-after", "1");
      ResponseFacts told = new ResponseFacts(429, headers, Instant.now(), Optional.empty());
      upstream.learn(permit.scope(), permit, upstream.reader().read(told));
      upstream.clearCooldowns(permit.scope());
    }
    permits.forEach(Permit::close);
  }

  @Test
  void no_key_is_ever_without_an_end_and_none_is_left() throws Exception {
    try (RedisServer server = RedisServer.start();
        RawRedis look = new RawRedis(server.port())) {
      AtomicBoolean going = new AtomicBoolean(true);
      Set<String> immortal = new TreeSet<>();
      long[] looks = {0};
      Thread watch =
          new Thread(
              () -> {
                while (going.get()) {
                  ((List<?>) look.call("EVAL", WITHOUT_TTL, "0"))
                      .forEach(key -> immortal.add(key.toString()));
                  looks[0]++;
                }
              });
      watch.start();
      try (Paceline first = worker(RedisBuckets.builder().uri(server.uri()).build());
          Paceline second = worker(RedisBuckets.builder().uri(server.uri()).build())) {
        use(first);
        use(second);
        assertThat((Long) server.call("DBSIZE")).isGreaterThan(5 * OWNERS.size());
      } finally {
        going.set(false);
        watch.join();
      }
      assertThat(immortal).isEmpty();
      assertThat(looks[0]).isGreaterThan(50);
      RedisServer.await(
          "no key is left", Duration.ofSeconds(50), () -> server.call("DBSIZE").equals(0L));
    }
  }

  @Test
  void keys_are_touched_by_scripts_only() throws Exception {
    try (RedisServer server = RedisServer.start();
        RawRedis monitor = new RawRedis(server.port())) {
      monitor.call("MONITOR");
      try (Paceline worker = worker(RedisBuckets.builder().uri(server.uri()).build())) {
        use(worker);
      }
      server.call("ECHO", "the end");
      Set<String> commands = new TreeSet<>();
      int scripts = 0;
      String line = (String) monitor.read();
      while (!line.contains("\"the end\"")) {
        String command = line.replaceFirst("^\\S+ \\[\\d+ ([^]]+)] \"(\\w+)\".*", "$1 $2");
        if (command.startsWith("lua ")) {
          scripts++;
        } else {
          commands.add(command.substring(command.indexOf(' ') + 1).toUpperCase(Locale.ROOT));
        }
        line = (String) monitor.read();
      }
      assertThat(scripts).isGreaterThan(100);
      assertThat(commands).contains("EVALSHA").isSubsetOf(HARMLESS);
    }
  }
}
