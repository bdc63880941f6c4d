package dev.paceline.feedback;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The header lines of a response, in the order received and without joining repeated names.
 *
 * <p>An adapter is a view on the HTTP client's own structure: nothing is copied. Names are compared
 * without regard to ASCII case; values may hold anything a peer can send.
 */
public interface HeaderLines {

  /** Returns the number of lines. */
  int size();

  /** Returns the name of the line at {@code index}, in {@code [0, size())}. */
  String name(int index);

  /** Returns the value of the line at {@code index}, in {@code [0, size())}, unstripped. */
  String value(int index);

  /**
   * Returns lines from alternating names and values.
   *
   * @throws IllegalArgumentException if the count is odd
   */
  static HeaderLines of(String... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException(
          "namesAndValues has "
              + namesAndValues.length
              + " elements; names and values must alternate");
    }
    List<Map.Entry<String, String>> lines = new ArrayList<>(namesAndValues.length / 2);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      lines.add(Map.entry(namesAndValues[i], namesAndValues[i + 1]));
    }
    return of(lines);
  }

  /** Returns a copy of {@code lines}, name and value each. */
  static HeaderLines of(List<Map.Entry<String, String>> lines) {
    return new ListedHeaderLines(List.copyOf(lines));
  }
}
