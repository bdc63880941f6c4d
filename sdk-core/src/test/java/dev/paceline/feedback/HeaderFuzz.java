package dev.paceline.feedback;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Mutates the responses of the corpus, reads them with every profile in turn, and checks what must
 * hold of any reading. The same seed gives the same run.
 */
final class HeaderFuzz {

  private static final Duration LONGEST = Duration.ofDays(366);
  private static final int LONG_VALUE = 2_000;
  private static final int LONG_VALUE_EVERY = 4_096;

  private static final List<String> FRAGMENTS =
      List.of(
          "0",
          "-1",
          "-27689",
          "1",
          "1.5",
          "999999999",
          "1000000000",
          "1768478430",
          "1768478430000",
          "99999999999999",
          "999999999999999",
          "9999999999999999",
          "1e309",
          "0x1p3",
          "NaN",
          "+5",
          "120f",
          "\u0661\u0662",
          ",",
          ", ",
          ",\t",
          ";",
          "; ",
          "=",
          "\"",
          "\\",
          "\"\"",
          ":",
          "::",
          ":YQ==:",
          "?1",
          "@1768478430",
          "%\"a\"",
          "(",
          ")",
          "()",
          "{",
          "}",
          "[",
          "]",
          "{}",
          "[]",
          "\u0000",
          "\n",
          "\u00b5",
          "\ud83d",
          ";w=60",
          ";q=5",
          ";r=0;t=1",
          "limit=1",
          "1s",
          "1h30m",
          "ms",
          "Thu, 15 Jan 2026 12:00:30 GMT",
          "Thursday, 15-Jan-26 12:00:30 GMT",
          "Thu Jan 15 12:00:30 2026",
          "2026-01-15T12:00:30Z",
          "2026-01-15T12:00Z",
          "1/2",
          "a=1/2",
          "true",
          "null",
          "\"call_count\":",
          "1,200.00",
          " ",
          "   ",
          "w",
          "window=60");

  private final SplittableRandom random;
  private final List<Corpus.Case> ordinary;
  private final List<Corpus.Case> all = Corpus.cases();
  private final List<String> names;
  private final List<FeedbackReader> readers;

  HeaderFuzz(long seed) {
    random = new SplittableRandom(seed);
    ordinary = all.stream().filter(each -> longest(each) < LONG_VALUE).toList();
    names =
        Stream.concat(
                all.stream().flatMap(each -> lines(each).stream()).map(Map.Entry::getKey),
                StandardDialect.FIELDS.stream().map(row -> row.header().replace("*", "minute")))
            .distinct()
            .toList();
    readers =
        Stream.concat(
                Stream.of(FeedbackReader.standard()),
                Profiles.names().stream()
                    .map(Profiles::byName)
                    .flatMap(Optional::stream)
                    .map(FeedbackReader::of))
            .toList();
  }

  private static int longest(Corpus.Case each) {
    return lines(each).stream().mapToInt(line -> line.getValue().length()).max().orElse(0);
  }

  private static List<Map.Entry<String, String>> lines(Corpus.Case each) {
    List<Map.Entry<String, String>> lines = new ArrayList<>();
    for (int i = 0; i < each.headers().size(); i++) {
      lines.add(Map.entry(each.headers().name(i), each.headers().value(i)));
    }
    return lines;
  }

  /**
   * Reads the next {@code count} mutated responses and returns how many told a wait or a window.
   */
  long run(long count) {
    long telling = 0;
    for (long i = 0; i < count; i++) {
      boolean any = i % LONG_VALUE_EVERY == 0;
      ResponseFacts facts = mutate(pick(any ? all : ordinary));
      Reading reading = pick(readers).read(facts);
      String broken = broken(reading);
      if (!broken.isEmpty()) {
        throw new AssertionError(broken + " in reading " + i + ": " + facts + " -> " + reading);
      }
      if (reading.retryAfter().isPresent() || !reading.windows().isEmpty()) {
        telling++;
      }
    }
    return telling;
  }

  private ResponseFacts mutate(Corpus.Case each) {
    List<Map.Entry<String, String>> lines = lines(each);
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int at = lines.isEmpty() ? 0 : random.nextInt(lines.size());
      switch (random.nextInt(6)) {
        case 0 -> lines.add(at, Map.entry(pick(names), pick(FRAGMENTS)));
        case 1 -> lines.addAll(lines(pick(ordinary)));
        case 2 -> {
          if (!lines.isEmpty()) {
            lines.set(at, Map.entry(pick(names), lines.get(at).getValue()));
          }
        }
        case 3 -> {
          if (!lines.isEmpty()) {
            lines.add(lines.get(at));
          }
        }
        default -> {
          if (!lines.isEmpty()) {
            Map.Entry<String, String> line = lines.get(at);
            lines.set(at, Map.entry(line.getKey(), mutate(line.getValue())));
          }
        }
      }
    }
    int status = random.nextInt(4) == 0 ? 100 + random.nextInt(500) : each.status();
    Optional<String> body = random.nextInt(3) == 0 ? each.body().map(this::mutate) : each.body();
    return new ResponseFacts(status, HeaderLines.of(lines), each.now(), body);
  }

  private String mutate(String value) {
    int from = random.nextInt(value.length() + 1);
    int to = Math.min(value.length(), from + random.nextInt(6));
    return switch (random.nextInt(5)) {
      case 0 -> value.substring(0, from) + pick(FRAGMENTS) + value.substring(from);
      case 1 -> value.substring(0, from) + pick(FRAGMENTS) + value.substring(to);
      case 2 -> value.substring(0, from) + value.substring(to);
      case 3 -> value.substring(0, from) + (char) random.nextInt(0x180) + value.substring(to);
      default -> value.substring(from) + (value.length() < LONG_VALUE ? value : "");
    };
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  /** Returns what is wrong with the reading, or nothing. */
  private static String broken(Reading reading) {
    if (reading.windows().size() > Reading.MAX_WINDOWS) {
      return "too many windows";
    }
    if (!believable(reading.retryAfter()) || !believable(reading.effectiveWait())) {
      return "a wait out of range";
    }
    if (reading.throttled() == (reading.kind() == ThrottleKind.NONE)) {
      return "a kind that contradicts throttled";
    }
    for (QuotaWindow window : reading.windows()) {
      if (!believable(window.reset()) || !believable(window.window())) {
        return "a window's time out of range";
      }
      if (!believableNumber(window.limit()) || !believableNumber(window.left())) {
        return "a window's number out of range";
      }
      if (window.name().length() > Ascii.MAX_VALUE) {
        return "an endless name";
      }
    }
    Resync.of(reading).forEach(each -> each.interval(1));
    DiscoveredLimit.of(reading).forEach(DiscoveredLimit::interval);
    return Explanation.of(429, reading).isEmpty() ? "no explanation" : "";
  }

  private static boolean believable(Optional<Duration> wait) {
    return wait.isEmpty() || (!wait.get().isNegative() && wait.get().compareTo(LONGEST) <= 0);
  }

  private static boolean believableNumber(Optional<BigDecimal> number) {
    return number.isEmpty() || (number.get().signum() >= 0 && number.get().precision() <= 24);
  }
}
