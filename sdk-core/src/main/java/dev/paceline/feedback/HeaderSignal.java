package dev.paceline.feedback;

/**
 * A header value that means something.
 *
 * @param header the header's name
 * @param value the value, compared without regard to ASCII case; a {@code *} at its end or its
 *     start stands for anything
 * @param verdict what it means; only a response that is throttled has a kind and a scope
 */
public record HeaderSignal(String header, String value, Verdict verdict) {

  boolean matches(String candidate) {
    int length = value.length();
    if (value.endsWith("*")) {
      return candidate.regionMatches(true, 0, value, 0, length - 1);
    }
    if (value.startsWith("*")) {
      int tail = candidate.length() - (length - 1);
      return tail >= 0 && candidate.regionMatches(true, tail, value, 1, length - 1);
    }
    return candidate.equalsIgnoreCase(value);
  }
}
