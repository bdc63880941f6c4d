package dev.paceline.feedback;

import org.jspecify.annotations.Nullable;

/** Numbers with thousands commas, such as {@code 1,200.00}, which Dataverse sends. */
final class GroupedNumbers {

  private GroupedNumbers() {}

  static @Nullable Quantity parse(String text) {
    if (text.length() > Ascii.MAX_SCALAR) {
      return null;
    }
    int point = text.indexOf('.');
    int end = point < 0 ? text.length() : point;
    StringBuilder digits = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != ',') {
        digits.append(c);
      } else if (i == 0 || i >= end || (end - i) % 4 != 0) {
        return null;
      }
    }
    return Quantity.parse(digits.toString());
  }
}
