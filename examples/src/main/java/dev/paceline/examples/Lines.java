package dev.paceline.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The lines of a stream of UTF-8, each of a bounded length. */
final class Lines implements AutoCloseable {
  /** The longest line that is kept; a longer one is read over. */
  static final int LONGEST = 4 << 20;

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final BufferedReader reader;
  private long number;

  Lines(InputStream in) {
    this.reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  /**
   * A line.
   *
   * @param number from 1
   * @param text without its end; empty if it was too long
   */
  record Line(long number, String text, boolean tooLong) {
    String checked() throws BadLineException {
      if (tooLong) {
        throw new BadLineException("it is longer than %d characters".formatted(LONGEST));
      }
      return text;
    }
  }

  /** The next line; empty at the end. */
  Optional<Line> next() throws IOException {
    int c = reader.read();
    if (c < 0) {
      return Optional.empty();
    }
    StringBuilder text = new StringBuilder();
    boolean tooLong = false;
    for (; c >= 0 && c != '\n'; c = reader.read()) {
      tooLong |= text.length() == LONGEST;
      if (!tooLong) {
        text.append((char) c);
      }
    }
    number++;
    return Optional.of(new Line(number, tooLong ? "" : bare(text), tooLong));
  }

  private String bare(StringBuilder text) {
    if (!text.isEmpty() && text.charAt(text.length() - 1) == '\r') {
      text.setLength(text.length() - 1);
    }
    if (number == 1 && !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK) {
      text.deleteCharAt(0);
    }
    return text.toString();
  }

  /** Whether the next line may have to be waited for. */
  boolean isDry() throws IOException {
    return !reader.ready();
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
