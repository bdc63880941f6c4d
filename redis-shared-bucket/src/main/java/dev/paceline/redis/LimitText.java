package dev.paceline.redis;

import dev.paceline.limit.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Limits as text: as a rulebook tells them, and as far as a stored state gives them away. */
final class LimitText {
  private static final Pattern ARRIVAL =
      Pattern.compile("-?\\d+ \\d+ -?\\d+ (\\d{1,15})(?:\\+(\\d{1,15})/(\\d{1,15}))?(?:/.*)?");
  private static final Pattern WINDOW =
      Pattern.compile("([fs])[-0-9 ]* (\\d{1,15})(?:/.*)?|(l)(\\d{1,15}) [-0-9:,]*(?:/.*)?");

  private LimitText() {}

  /** Each limit as it is written, then its unit where that is not requests. */
  static String print(List<Limit> limits) {
    return limits.stream()
        .map(
            limit ->
                limit.unit().equals(Limit.REQUESTS)
                    ? limit.toString()
                    : limit + " " + KeyNames.escape(limit.unit()))
        .collect(Collectors.joining("|"));
  }

  /** The limits of a printed text; empty if it is none. */
  static Optional<List<Limit>> parse(String text) {
    List<Limit> limits = new ArrayList<>();
    try {
      for (String part : text.split("\\|", -1)) {
        int space = part.indexOf(' ');
        Limit limit = Limit.parse(space < 0 ? part : part.substring(0, space));
        limits.add(space < 0 ? limit : limit.unit(KeyNames.unescape(part.substring(space + 1))));
      }
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    return Optional.of(limits);
  }

  /**
   * Limits under which a stored state keeps its meaning. They have its paces and its periods, which
   * is all that a change without a permit looks at; how many permits a window has, and a bucket's
   * burst, it does not tell.
   *
   * @return empty if the state tells too little
   */
  static Optional<List<Limit>> ofState(String state) {
    int extras = state.indexOf(';');
    String[] head = (extras < 0 ? state : state.substring(0, extras)).split(" ", 3);
    List<Limit> limits = new ArrayList<>();
    try {
      for (String part : head[head.length - 1].split("\\|", -1)) {
        Optional<Limit> limit = ofPart(part);
        if (head.length != 3 || limit.isEmpty()) {
          return Optional.empty();
        }
        limits.add(limit.get());
      }
    } catch (IllegalArgumentException | ArithmeticException e) {
      return Optional.empty();
    }
    return Optional.of(limits);
  }

  private static Optional<Limit> ofPart(String part) {
    Matcher arrival = ARRIVAL.matcher(part);
    if (arrival.matches()) {
      long whole = Long.parseLong(arrival.group(1));
      long rest = arrival.group(2) == null ? 0 : Long.parseLong(arrival.group(2));
      long permits = arrival.group(3) == null ? 1 : Long.parseLong(arrival.group(3));
      long period = Math.addExact(Math.multiplyExact(whole, permits), rest);
      return Optional.of(Limit.of(permits).per(micros(period)));
    }
    Matcher window = WINDOW.matcher(part);
    if (!window.matches()) {
      return Optional.empty();
    }
    boolean isLog = window.group(3) != null;
    Limit limit = Limit.of(1).per(micros(Long.parseLong(window.group(isLog ? 4 : 2))));
    return Optional.of(
        isLog
            ? limit.slidingWindowLog()
            : window.group(1).equals("f") ? limit.fixedWindow() : limit.slidingWindowCounter());
  }

  private static Duration micros(long micros) {
    return Duration.ofSeconds(micros / 1_000_000, micros % 1_000_000 * 1_000);
  }
}
