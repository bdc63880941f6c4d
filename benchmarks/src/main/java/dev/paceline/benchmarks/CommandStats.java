package dev.paceline.benchmarks;

import dev.paceline.redis.testing.RedisServer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a Redis server has counted since {@link #reset}. */
final class CommandStats {

  private static final Pattern SCRIPTS =
      Pattern.compile("cmdstat_(?:evalsha|eval):calls=(\\d+),usec=(\\d+)");

  private CommandStats() {}

  static void reset(RedisServer server) {
    server.call("CONFIG", "RESETSTAT");
  }

  /** Script calls and the time that they took in the server. */
  static Scripts scripts(RedisServer server) {
    Matcher found = SCRIPTS.matcher((String) server.call("INFO", "commandstats"));
    long calls = 0;
    long micros = 0;
    while (found.find()) {
      calls += Long.parseLong(found.group(1));
      micros += Long.parseLong(found.group(2));
    }
    return new Scripts(calls, micros);
  }

  /** Script calls. */
  record Scripts(long calls, long micros) {
    double microsEach() {
      return calls == 0 ? 0 : (double) micros / calls;
    }
  }
}
