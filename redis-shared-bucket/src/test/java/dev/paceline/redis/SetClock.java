package dev.paceline.redis;

import dev.paceline.limit.Snapshot;
import dev.paceline.redis.testing.RedisServer;
import dev.paceline.store.Ask;
import dev.paceline.store.Change;
import dev.paceline.store.Floor;
import dev.paceline.store.Group;
import dev.paceline.store.RemoteAsk;
import dev.paceline.store.RemoteReply;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import java.util.ArrayList;
import java.util.List;

/** The deciding script on a real Redis, with the clock that a test sets. */
final class SetClock implements AutoCloseable {
  static final Floor NO_FLOOR = new Floor(0, new Snapshot(List.of()));

  /** The last argument is the time; keys live an hour longer, for time does not pass in Redis. */
  private static final Script SCRIPT =
      Script.decideOn("local now = table.remove(ARGV) + 0\nlocal margin = 3600000\n");

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  final RedisCommands<String, String> redis;
  final KeyNames names = new KeyNames("set-clock-" + System.nanoTime());
  private final AskArguments arguments = new AskArguments("me", names.channel());
  private int number;

  /** When it decides, in microseconds. */
  long now;

  SetClock() {
    client = RedisClient.create(RedisServer.shared().uri());
    connection = client.connect(StringCodec.ASCII);
    redis = connection.sync();
  }

  String key(Group group) {
    return names.of(group.key());
  }

  static RemoteAsk ask(
      Group group,
      long[] cost,
      int permits,
      long quantum,
      long latest,
      Floor floor,
      Change... changes) {
    return new RemoteAsk(
        new Ask(group, cost, permits, quantum, latest, 0), floor, List.of(changes));
  }

  /** Only changes. */
  RemoteReply change(Group group, Floor floor, Change... changes) {
    return decide(ask(group, new long[group.limits().size()], 0, 0, 0, floor, changes)).get(0);
  }

  List<RemoteReply> decide(RemoteAsk... asks) {
    return decideAs(arguments, asks);
  }

  /** Decides for another worker. */
  List<RemoteReply> decideAs(AskArguments arguments, RemoteAsk... asks) {
    String[] keys = new String[asks.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = key(asks[i].ask().group());
    }
    long centre = now;
    while (true) {
      String repeated = "" + ++number;
      List<String> args = new ArrayList<>(arguments.of(List.of(asks), repeated, centre));
      args.add("" + now);
      Object reply = eval(keys, args.toArray(String[]::new));
      ReplyReader.Result result = ReplyReader.read(reply, repeated, asks.length, 1);
      if (!result.stale()) {
        return result.replies();
      }
      if (centre == result.staleAt()) {
        throw new AssertionError("stale again around " + centre);
      }
      centre = result.staleAt();
    }
  }

  private Object eval(String[] keys, String[] args) {
    try {
      return redis.evalsha(SCRIPT.sha(), ScriptOutputType.MULTI, keys, args);
    } catch (RedisNoScriptException e) {
      return redis.eval(SCRIPT.text(), ScriptOutputType.MULTI, keys, args);
    }
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}
