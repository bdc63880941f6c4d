package dev.paceline.feedback;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The header lines of a response that its dialect knows, up to a bound. */
final class RelevantLines {

  /** A server's header is some hundred lines at most; those beyond are ignored and counted. */
  private static final int MAX_LINES = 512;

  private final List<Dialect.Entry> entries = new ArrayList<>();
  private int[] indexes = new int[8];
  private int left;

  void add(int index, Dialect.Entry entry) {
    if (entries.size() == MAX_LINES) {
      left++;
      return;
    }
    if (entries.size() == indexes.length) {
      indexes = Arrays.copyOf(indexes, indexes.length * 2);
    }
    indexes[entries.size()] = index;
    entries.add(entry);
  }

  int size() {
    return entries.size();
  }

  int index(int i) {
    return indexes[i];
  }

  Dialect.Entry entry(int i) {
    return entries.get(i);
  }

  /** Returns how many lines were beyond the bound. */
  int left() {
    return left;
  }
}
