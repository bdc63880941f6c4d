package dev.paceline.feedback;

import java.time.Duration;
import java.util.Locale;

/**
 * One row of a dialect: a header name and what its value means.
 *
 * @param header the name, lower case; may hold one {@code *} for a word that names the window
 * @param meaning how the value is read
 * @param group which fields together tell one window; rows of one group and window are joined
 * @param rank the order within the group: of a group's ranks only the first that yields a window
 *     counts; for waits, the order of precedence
 * @param window the window's name; a {@code *} in it is the word
 * @param unit what is counted; empty: told by the word
 * @param length the window's length; zero: unknown; negative: told by the word, such as {@code
 *     minute} or {@code 10s}
 */
public record HeaderField(
    String header,
    HeaderMeaning meaning,
    String group,
    int rank,
    String window,
    String unit,
    Duration length) {

  /** A length that the word in the header's name tells. */
  public static final Duration BY_NAME = Duration.ofNanos(-1);

  /** Checks the name. */
  public HeaderField {
    header = header.toLowerCase(Locale.ROOT);
    if (header.isEmpty() || header.indexOf('*') != header.lastIndexOf('*')) {
      throw new IllegalArgumentException(
          "header is '" + header + "'; it must be a name with at most one *");
    }
  }

  /** Returns a row of the group that older names of the one current limit belong to. */
  public static HeaderField of(String header, HeaderMeaning meaning) {
    return new HeaderField(
        header, meaning, header, 0, "default", QuotaWindow.REQUESTS, Duration.ZERO);
  }

  /** Returns this row in a group, at a rank. */
  public HeaderField in(String group, int rank) {
    return new HeaderField(header, meaning, group, rank, window, unit, length);
  }

  /** Returns this row for a window. */
  public HeaderField window(String window) {
    return new HeaderField(header, meaning, group, rank, window, unit, length);
  }

  /** Returns this row counting a unit. */
  public HeaderField unit(String unit) {
    return new HeaderField(header, meaning, group, rank, window, unit, length);
  }

  /** Returns this row with a window length. */
  public HeaderField per(Duration length) {
    return new HeaderField(header, meaning, group, rank, window, unit, length);
  }
}
