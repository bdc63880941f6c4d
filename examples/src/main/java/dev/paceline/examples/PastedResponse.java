package dev.paceline.examples;

import dev.paceline.feedback.Explanation;
import dev.paceline.feedback.FeedbackReader;
import dev.paceline.feedback.HeaderLines;
import dev.paceline.feedback.ResponseFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A response as it is pasted: a status line, and headers up to a blank line. */
final class PastedResponse {
  /** What its first line begins with. */
  static final String BEGIN = "HTTP/";

  private static final Pattern STATUS_LINE = Pattern.compile("HTTP/[0-9.]+ +([1-5][0-9]{2})( .*)?");

  private final int status;
  private final List<Map.Entry<String, String>> headers = new ArrayList<>();
  private int length;

  private PastedResponse(int status) {
    this.status = status;
  }

  /** Begins with a status line. */
  static PastedResponse begin(String statusLine) throws BadLineException {
    Matcher matcher = STATUS_LINE.matcher(statusLine.strip());
    if (!matcher.matches()) {
      throw new BadLineException("it is no status line, such as HTTP/1.1 429 Too Many Requests");
    }
    return new PastedResponse(Integer.parseInt(matcher.group(1)));
  }

  /** Adds a header. */
  void add(String header) throws BadLineException {
    int colon = header.indexOf(':');
    if (colon < 1) {
      throw new BadLineException("it is no header, such as Retry-After: 2");
    }
    length += header.length();
    if (length > Lines.LONGEST) {
      throw new BadLineException("the headers are longer than %d".formatted(Lines.LONGEST));
    }
    headers.add(Map.entry(header.substring(0, colon).strip(), header.substring(colon + 1)));
  }

  /** What the SDK would wait for, and why, if it were received now. */
  String inPlainWords(FeedbackReader reader) {
    ResponseFacts facts = ResponseFacts.of(status, HeaderLines.of(headers), Instant.now());
    return String.join("\n", Explanation.of(status, reader.read(facts))) + "\n";
  }
}
