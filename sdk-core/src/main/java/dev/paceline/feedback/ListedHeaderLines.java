package dev.paceline.feedback;

import java.util.List;
import java.util.Map;

/** Header lines held in a list. */
record ListedHeaderLines(List<Map.Entry<String, String>> lines) implements HeaderLines {

  @Override
  public int size() {
    return lines.size();
  }

  @Override
  public String name(int index) {
    return lines.get(index).getKey();
  }

  @Override
  public String value(int index) {
    return lines.get(index).getValue();
  }
}
