package dev.paceline.redis;

import dev.paceline.limit.Algorithm;
import dev.paceline.limit.EmissionInterval;
import dev.paceline.limit.Limit;
import dev.paceline.limit.LimitState;
import dev.paceline.store.Ask;
import dev.paceline.store.Change;
import dev.paceline.store.Floor;
import dev.paceline.store.RemoteAsk;
import java.util.ArrayList;
import java.util.List;

/**
 * The arguments of the deciding script, in the order in which {@code asks.lua} and {@code
 * plain.lua} read them.
 */
final class AskArguments {
  /** An instant or a length that the script takes for "any": the year 2255 as microseconds. */
  private static final long FAR = 9_000_000_000_000_000L;

  private static final long LONGEST_COOLDOWN = 36_500L * 86_400_000_000L;

  /** Up to here the quick path's plain divisions are exact, with two bits to spare. */
  private static final long PLAIN_EXACT = 1L << 50;

  private final String worker;
  private final String channel;

  AskArguments(String worker, String channel) {
    this.worker = worker;
    this.channel = channel;
  }

  /**
   * The arguments for groups of one owner.
   *
   * @param number what the reply must repeat
   * @param centre around which a zone's boundaries are sent
   */
  List<String> of(List<RemoteAsk> asks, String number, long centre) {
    if (asks.size() == 1 && isPlain(asks.get(0))) {
      return plain(asks.get(0), number);
    }
    List<String> args = new ArrayList<>(16 + 24 * asks.size());
    args.add("a");
    args.add(number);
    args.add(worker);
    args.add(channel);
    for (RemoteAsk ask : asks) {
      add(args, ask, centre);
    }
    return args;
  }

  private static boolean isPlain(RemoteAsk remote) {
    Ask ask = remote.ask();
    if (ask.group().limits().size() != 1 || !remote.changes().isEmpty() || ask.lateMicros() != 0) {
      return false;
    }
    Limit limit = ask.group().limits().get(0);
    return limit.algorithm().hasBurst()
        && !isSettled(limit)
        && ask.permits() > 0
        && ask.cost()[0] > 0
        && limit.burst() <= PLAIN_EXACT / limit.emissionInterval().divisor();
  }

  /** Costs other than calls are estimates, and worth the memory that giving back needs. */
  private static boolean isSettled(Limit limit) {
    return !limit.unit().equals(Limit.REQUESTS);
  }

  private static List<String> plain(RemoteAsk remote, String number) {
    Ask ask = remote.ask();
    Limit limit = ask.group().limits().get(0);
    EmissionInterval interval = limit.emissionInterval();
    List<String> args = new ArrayList<>(16);
    args.add("g");
    args.add(number);
    args.add(text(ask.permits()));
    args.add(text(quantum(ask)));
    args.add(text(latest(ask)));
    args.add(text(ask.cost()[0]));
    args.add(
        interval.remainder() == 0
            ? text(interval.wholeMicros())
            : interval.wholeMicros() + "+" + interval.remainder() + "/" + interval.divisor());
    args.add(text(interval.wholeMicros()));
    args.add(text(limit.burst()));
    Floor floor = remote.floor();
    args.add(text(floor.generation()));
    if (!floor.state().limits().isEmpty()
        && floor.state().limits().get(0) instanceof LimitState.Arrival arrival) {
      args.add(text(bounded(arrival.tatMicros())));
      args.add(text(arrival.remainder()));
    } else {
      args.add("");
      args.add("");
    }
    args.add(age(floor));
    args.add(text(ask.ahead()));
    if (interval.remainder() != 0) {
      args.add(text(interval.remainder()));
      args.add(text(interval.divisor()));
    }
    return args;
  }

  private static void add(List<String> args, RemoteAsk remote, long centre) {
    Ask ask = remote.ask();
    List<Limit> limits = ask.group().limits();
    int late = ask.lateMicros() > 0 ? 1 : 0;
    args.add(text(ask.permits()));
    args.add(text(ask.ahead()));
    args.add(text(quantum(ask)));
    args.add(text(latest(ask)));
    args.add(text(remote.floor().generation()));
    args.add(age(remote.floor()));
    args.add(text(limits.size()));
    args.add(text(remote.changes().size() + late));
    for (int i = 0; i < limits.size(); i++) {
      addLimit(args, limits.get(i), ask.cost()[i], floorText(remote.floor(), limits.get(i), i));
      if (limits.get(i).zone().isPresent()) {
        for (long start : limits.get(i).windowStarts(centre)) {
          args.add(text(start));
        }
      }
    }
    if (late > 0) {
      addChange(args, new Change.Late(ask.lateMicros()));
    }
    remote.changes().forEach(change -> addChange(args, change));
  }

  private static long quantum(Ask ask) {
    return Math.max(0, Math.min(ask.quantumMicros(), FAR));
  }

  /** Below zero nothing is reserved, but the earliest start is told. */
  private static long latest(Ask ask) {
    return Math.max(-1, Math.min(ask.latestMicros(), FAR));
  }

  private static String age(Floor floor) {
    return floor.ageMicros() > FAR || floor.ageMicros() < 0 ? "" : text(floor.ageMicros());
  }

  private static void addLimit(List<String> args, Limit limit, long cost, String floor) {
    EmissionInterval interval = limit.emissionInterval();
    args.add(kind(limit));
    args.add(text(cost));
    args.add(text(limit.capacity()));
    args.add(text(interval.wholeMicros()));
    args.add(text(interval.remainder()));
    args.add(text(interval.divisor()));
    args.add(text(limit.periodMicros()));
    args.add(isSettled(limit) ? "t" : "");
    args.add(floor);
  }

  private static String kind(Limit limit) {
    return switch (limit.algorithm()) {
      case GCRA, TOKEN_BUCKET -> "g";
      case FIXED_WINDOW -> limit.zone().isPresent() ? "z" : "f";
      case SLIDING_WINDOW_COUNTER -> "s";
      case SLIDING_WINDOW_LOG -> "l";
    };
  }

  private static String floorText(Floor floor, Limit limit, int place) {
    if (floor.generation() <= 0 || place >= floor.state().limits().size()) {
      return "";
    }
    LimitState state = floor.state().limits().get(place);
    Algorithm algorithm = limit.algorithm();
    if (state instanceof LimitState.Arrival arrival && algorithm.hasBurst()) {
      return bounded(arrival.tatMicros()) + " " + arrival.remainder();
    }
    if (state instanceof LimitState.Window window && algorithm == Algorithm.FIXED_WINDOW) {
      return bounded(window.startMicros()) + " " + bounded(window.count());
    }
    if (state instanceof LimitState.TwoWindows windows
        && algorithm == Algorithm.SLIDING_WINDOW_COUNTER) {
      return bounded(windows.startMicros())
          + " "
          + bounded(windows.current())
          + " "
          + bounded(windows.previous());
    }
    if (state instanceof LimitState.Log log && algorithm == Algorithm.SLIDING_WINDOW_LOG) {
      return logFloor(log, limit.periodMicros());
    }
    return "";
  }

  /** A log is restored as its count at its newest instant. */
  private static String logFloor(LimitState.Log log, long periodMicros) {
    if (log.runs().isEmpty()) {
      return "";
    }
    long newest = log.runs().get(log.runs().size() - 1).atMicros();
    long count = 0;
    for (LimitState.Run run : log.runs()) {
      count += newest - run.atMicros() < periodMicros ? run.count() : 0;
    }
    return bounded(newest) + " " + bounded(count);
  }

  private static void addChange(List<String> args, Change change) {
    if (change instanceof Change.Cooldown cooldown) {
      args.add("c");
      args.add(text(Math.max(0, Math.min(cooldown.micros(), LONGEST_COOLDOWN))));
    } else if (change instanceof Change.ClearCooldown) {
      args.add("x");
    } else if (change instanceof Change.Late late) {
      args.add("m");
      args.add(text(Math.max(0, bounded(late.micros()))));
    } else if (change instanceof Change.Settle settle) {
      args.add("s");
      args.add(text(bounded(settle.agoMicros())));
      addAll(args, settle.delta());
    } else if (change instanceof Change.Slow slow) {
      addSlow(args, slow);
    } else if (change instanceof Change.Guard guard) {
      args.add("u");
      args.add(text(Math.max(0, bounded(guard.micros()))));
    } else if (change instanceof Change.Charge charge) {
      args.add("d");
      args.add(text(bounded(charge.agoMicros())));
      args.add(text(bounded(Math.min(charge.agoMicros(), charge.lastAgoMicros()))));
      addAll(args, charge.cost());
    } else if (change instanceof Change.Reconfigure) {
      args.add("r");
    }
  }

  private static void addSlow(List<String> args, Change.Slow slow) {
    long length = Math.max(1, Math.min(slow.micros(), LONGEST_COOLDOWN));
    long permits = Math.max(1, Math.min(slow.permits(), FAR));
    long gcd = gcd(permits, length);
    long divisor = permits / gcd;
    args.add("o");
    args.add(text(slow.limit() + 1));
    args.add(slow.permits() <= 0 ? "1" : "0");
    args.add(text(length));
    args.add(text(length / gcd / divisor));
    args.add(text(length / gcd % divisor));
    args.add(text(divisor));
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  private static void addAll(List<String> args, long[] values) {
    for (long value : values) {
      args.add(text(bounded(value)));
    }
  }

  private static long bounded(long value) {
    return Math.max(-FAR, Math.min(value, FAR));
  }

  private static String text(long value) {
    return Long.toString(value);
  }
}
