package dev.paceline.redis;

import dev.paceline.store.Ask;
import dev.paceline.store.RemoteReply;
import dev.paceline.store.RemoteReply.Kind;
import dev.paceline.store.RemoteReply.Trouble;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads the deciding script's replies, strictly: what is not exactly one is a failure. */
final class ReplyReader {
  private static final long[] NO_STARTS = {};
  private static final Kind[] KINDS = {Kind.RESERVED, Kind.TOO_LATE, Kind.NEVER, Kind.CHANGED};
  private static final Trouble[] TROUBLES = {
    Trouble.NONE, Trouble.LIMITS_DIFFER, Trouble.STATE_LOST, Trouble.CLOCK_STEPPED, Trouble.JUNK
  };
  private static final int STALE = 5;
  private static final long FARTHEST = 9_100_000_000_000_000L;

  private ReplyReader() {}

  /** A reply that is not one; whether its request was executed is not known. */
  static final class MalformedReplyException extends RuntimeException {
    private final boolean outOfStep;

    MalformedReplyException(String what, boolean outOfStep) {
      super("Redis sent a malformed reply: " + what);
      this.outOfStep = outOfStep;
    }

    /** Whether it answers another request, so that all that follow on its connection may. */
    boolean outOfStep() {
      return outOfStep;
    }
  }

  /** Either replies, or the instant around which a zone's boundaries are wanted. */
  record Result(List<RemoteReply> replies, long staleAt) {
    boolean stale() {
      return replies.isEmpty();
    }
  }

  /**
   * Reads a reply.
   *
   * @param number what it must begin with
   * @param groups how many groups were asked
   * @throws MalformedReplyException if it is anything else
   */
  static Result read(Object reply, String number, int groups, int workers) {
    if (!(reply instanceof List<?> items) || items.isEmpty() || !repeats(items, number)) {
      throw new MalformedReplyException("it answers another request", true);
    }
    try {
      if (items.size() == 1) {
        check(groups == 1, "not one answer for each group");
        return onePermit((String) items.get(0), number.length() + 1, workers);
      }
      List<RemoteReply> replies = new ArrayList<>(groups);
      long stale = Long.MIN_VALUE;
      if (groups == 1) {
        stale = readGroup(items, 1, replies, workers);
      } else {
        check(items.size() == groups + 1, "not one answer for each group");
        for (int i = 1; i <= groups; i++) {
          check(items.get(i) instanceof List<?>, "a group without an answer");
          List<?> group = (List<?>) items.get(i);
          stale = Math.max(stale, readGroup(group, 0, replies, workers));
        }
        check(replies.size() == groups || replies.isEmpty(), "only some groups were decided");
      }
      return new Result(replies, stale);
    } catch (IllegalArgumentException e) {
      throw new MalformedReplyException(String.valueOf(e.getMessage()), false);
    }
  }

  private static boolean repeats(List<?> items, String number) {
    Object first = items.get(0);
    return items.size() > 1
        ? number.equals(first)
        : first instanceof String line && line.startsWith(number + " ");
  }

  /** The usual answer, in one line: the number, when the permit starts from now, and the state. */
  private static Result onePermit(String line, int at, int workers) {
    int space = line.indexOf(' ', at);
    check(space > at && space - at <= 14, "no start");
    long start = Long.parseLong(line, at, space, 10);
    check(start >= 0, "an odd instant");
    StateText state = StateText.parse(line.substring(space + 1));
    return new Result(
        List.of(reply(Kind.RESERVED, new long[] {state.written() + start}, 0, state, 0, workers)),
        Long.MIN_VALUE);
  }

  private static RemoteReply reply(
      Kind kind, long[] starts, long earliest, StateText state, int trouble, int workers) {
    return new RemoteReply(
        kind,
        state.written(),
        starts,
        earliest,
        state.cooldownMicros(),
        state.guardMicros(),
        workers,
        state.generation(),
        state.state(),
        TROUBLES[trouble]);
  }

  /** Adds one reply, or returns the instant around which boundaries are wanted. */
  private static long readGroup(List<?> items, int at, List<RemoteReply> replies, int workers) {
    check(items.size() >= at + 3, "too short");
    long kind = number(items.get(at));
    if (kind == STALE) {
      check(items.size() == at + 4, "a stale answer without an instant");
      return number(items.get(at + 3));
    }
    check(items.get(at + 2) instanceof String, "no state");
    StateText state = StateText.parse((String) items.get(at + 2));
    long trouble = number(items.get(at + 1));
    check(trouble >= 0 && trouble < TROUBLES.length, "an unknown trouble");
    long[] rest = numbers(items, at + 3);
    boolean reserved = kind == 1;
    check(kind >= 1 && kind <= 4, "an unknown kind");
    check(kind > 2 ? rest.length == 0 : rest.length > 0, "the wrong number of instants");
    check(reserved || rest.length <= 1, "the wrong number of instants");
    long now = state.written();
    for (int i = 0; i < rest.length; i++) {
      check(rest[i] >= (i == 0 ? 0 : rest[i - 1] - now) && rest[i] < FARTHEST, "an odd instant");
      rest[i] += now;
    }
    replies.add(
        reply(
            KINDS[(int) kind - 1],
            reserved ? rest : NO_STARTS,
            kind == 2 ? rest[0] : 0,
            state,
            (int) trouble,
            workers));
    return Long.MIN_VALUE;
  }

  /** Instants; one that is below zero says how many more there are at the instant before it. */
  private static long[] numbers(List<?> items, int from) {
    long[] numbers = new long[count(items, from)];
    int count = 0;
    for (int i = from; i < items.size(); i++) {
      long number = number(items.get(i));
      if (number >= 0) {
        numbers[count++] = number;
      } else {
        int end = count - (int) number;
        Arrays.fill(numbers, count, end, numbers[count - 1]);
        count = end;
      }
    }
    return numbers;
  }

  private static int count(List<?> items, int from) {
    int count = 0;
    for (int i = from; i < items.size(); i++) {
      long number = number(items.get(i));
      check(number >= 0 || (count > 0 && number >= count - Ask.MAX_PERMITS), "an odd instant");
      count += number < 0 ? (int) -number : 1;
    }
    return count;
  }

  private static long number(Object item) {
    check(item instanceof Long, "no number where one belongs");
    return (Long) item;
  }

  private static void check(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
