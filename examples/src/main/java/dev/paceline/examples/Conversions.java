package dev.paceline.examples;

import dev.paceline.feedback.Profile;
import dev.paceline.feedback.Profiles;
import dev.paceline.limit.Limit;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import okhttp3.HttpUrl;
import picocli.CommandLine.TypeConversionException;

/** How the values of options are read, and how what is wrong with them is said in one line. */
final class Conversions {
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,18})(ms|s|m|h)");

  private Conversions() {}

  static Limit limit(String text) {
    try {
      return Limit.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(oneLine(e));
    }
  }

  static Duration duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'%s' is no duration; write 250ms, 2s, 1m or 1h".formatted(text));
    }
    long count = Long.parseLong(matcher.group(1));
    try {
      return switch (matcher.group(2)) {
        case "ms" -> Duration.ofMillis(count);
        case "s" -> Duration.ofSeconds(count);
        case "m" -> Duration.ofMinutes(count);
        default -> Duration.ofHours(count);
      };
    } catch (ArithmeticException e) {
      throw new TypeConversionException("'%s' is too long".formatted(text));
    }
  }

  static HttpUrl url(String text) {
    HttpUrl url = HttpUrl.parse(text);
    if (url == null) {
      throw new TypeConversionException("'%s' is no http or https URL".formatted(text));
    }
    return url;
  }

  static RequestOptions.Header header(String text) {
    try {
      return RequestOptions.Header.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(oneLine(e));
    }
  }

  static Profile profile(String name) {
    return Profiles.byName(name)
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'%s' is none of %s".formatted(name, String.join(", ", Profiles.names()))));
  }

  /** The constant that is written in lower case and with hyphens. */
  static <E extends Enum<E>> E named(Class<E> type, String text) {
    for (E constant : type.getEnumConstants()) {
      if (written(constant).equals(text)) {
        return constant;
      }
    }
    throw new TypeConversionException(
        "'%s' is none of %s"
            .formatted(
                text,
                Arrays.stream(type.getEnumConstants())
                    .map(Conversions::written)
                    .collect(Collectors.joining(", "))));
  }

  /** A constant in lower case and with hyphens. */
  static String written(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The message of an exception in one line. */
  static String oneLine(Throwable e) {
    String message = e.getMessage();
    String said = message == null || message.isBlank() ? e.getClass().getSimpleName() : message;
    return said.lines().map(String::strip).collect(Collectors.joining(" "));
  }
}
