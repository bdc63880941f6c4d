package dev.paceline.limit;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The written form of a limit: {@code PERMITS/PERIOD[;burst=N][;algorithm=NAME][;zone=ZONE]}. */
final class LimitSpec {
  private static final Set<String> OPTIONS = Set.of("burst", "algorithm", "zone");

  private LimitSpec() {}

  static Limit parse(String spec) {
    String[] parts = spec.strip().split(";", -1);
    String[] rate = parts[0].split("/", -1);
    if (rate.length != 2) {
      throw new IllegalArgumentException(
          "limit '%s': must be written PERMITS/PERIOD, for example 100/1s".formatted(spec));
    }
    Limit limit = Limit.of(number(spec, "permits", rate[0])).per(period(spec, rate[1].strip()));
    return refine(spec, limit, options(spec, parts));
  }

  private static Map<String, String> options(String spec, String[] parts) {
    Map<String, String> options = new HashMap<>();
    for (int i = 1; i < parts.length; i++) {
      String[] option = parts[i].strip().split("=", 2);
      if (option.length != 2 || !OPTIONS.contains(option[0])) {
        throw new IllegalArgumentException(
            "limit '%s': '%s' is none of burst=N, algorithm=NAME, zone=ZONE"
                .formatted(spec, parts[i]));
      }
      if (options.put(option[0], option[1]) != null) {
        throw new IllegalArgumentException(
            "limit '%s': %s is there twice".formatted(spec, option[0]));
      }
    }
    return options;
  }

  private static Limit refine(String spec, Limit limit, Map<String, String> options) {
    String name = options.getOrDefault("algorithm", Algorithm.GCRA.specName());
    Algorithm algorithm =
        Algorithm.named(name)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "limit '%s': algorithm=%s is none of gcra, token-bucket, fixed-window,"
                                .formatted(spec, name)
                            + " sliding-window-log, sliding-window-counter"));
    Optional<ZoneId> zone = Optional.ofNullable(options.get("zone")).map(id -> zone(spec, id));
    if (zone.isPresent() && algorithm != Algorithm.FIXED_WINDOW) {
      throw new IllegalArgumentException(
          "limit '%s': a zone goes with algorithm=fixed-window only".formatted(spec));
    }
    Limit counted =
        switch (algorithm) {
          case GCRA -> limit;
          case TOKEN_BUCKET -> limit.tokenBucket();
          case FIXED_WINDOW -> zone.map(limit::fixedWindow).orElseGet(limit::fixedWindow);
          case SLIDING_WINDOW_LOG -> limit.slidingWindowLog();
          case SLIDING_WINDOW_COUNTER -> limit.slidingWindowCounter();
        };
    String burst = options.get("burst");
    return burst == null ? counted : counted.burst(number(spec, "burst", burst));
  }

  private static long number(String spec, String what, String text) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "limit '%s': %s=%s is not a whole number".formatted(spec, what, text), e);
    }
  }

  private static ZoneId zone(String spec, String id) {
    try {
      return ZoneId.of(id);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "limit '%s': zone=%s is no time zone, such as America/Los_Angeles".formatted(spec, id),
          e);
    }
  }

  private static Duration period(String spec, String text) {
    int digits = 0;
    while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
      digits++;
    }
    Duration one =
        switch (text.substring(digits)) {
          case "us" -> Duration.ofNanos(1_000);
          case "ms" -> Duration.ofMillis(1);
          case "s" -> Duration.ofSeconds(1);
          case "m" -> Duration.ofMinutes(1);
          case "h" -> Duration.ofHours(1);
          case "d" -> Duration.ofDays(1);
          default -> Duration.ZERO;
        };
    if (digits == 0 || one.isZero()) {
      throw new IllegalArgumentException(
          "limit '%s': period=%s is not a number and one of us, ms, s, m, h, d"
              .formatted(spec, text));
    }
    try {
      return one.multipliedBy(number(spec, "period", text.substring(0, digits)));
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          "limit '%s': period=%s is too long".formatted(spec, text), e);
    }
  }

  static String print(Limit limit) {
    StringBuilder spec = new StringBuilder().append(limit.permits()).append('/');
    spec.append(print(limit.periodMicros()));
    Algorithm algorithm = limit.algorithm();
    long usualBurst = algorithm == Algorithm.GCRA ? 1 : limit.permits();
    if (limit.burst() != usualBurst) {
      spec.append(";burst=").append(limit.burst());
    }
    if (algorithm != Algorithm.GCRA) {
      spec.append(";algorithm=").append(algorithm.specName());
    }
    limit.zone().ifPresent(zone -> spec.append(";zone=").append(zone.getId()));
    return spec.toString();
  }

  private static String print(long micros) {
    if (micros % 1_000 != 0) {
      return micros + "us";
    }
    long millis = micros / 1_000;
    if (millis % 1_000 != 0) {
      return millis + "ms";
    }
    long seconds = millis / 1_000;
    if (seconds % 86_400 == 0) {
      return seconds / 86_400 + "d";
    }
    if (seconds % 3_600 == 0) {
      return seconds / 3_600 + "h";
    }
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
