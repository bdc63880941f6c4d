package dev.paceline.feedback;

import java.util.List;

/**
 * Walks over the scalars of a JSON text (RFC 8259) without building a tree, without recursion, to a
 * depth of {@value #MAX_DEPTH}, in one pass. A scalar's place is a path such as {@code
 * error.errors[].reason}; a path longer than {@value #MAX_PATH} characters is cut.
 */
final class Json {

  static final int MAX_DEPTH = 32;
  static final int MAX_PATH = 256;

  /** Hears of what is found, in order; also of what precedes a syntax error. */
  interface Visitor {

    /** A string, number, boolean or null; the cursor is valid only during the call. */
    void scalar(Json cursor);

    /** An object ended; the cursor's path is the object's own. */
    default void endObject(Json cursor) {}
  }

  private static final List<String> WORDS = List.of("true", "false", "null");

  private final String text;
  private final Visitor visitor;
  private final StringBuilder path = new StringBuilder();
  private final int[] pathLengths = new int[MAX_DEPTH + 1];
  private final boolean[] objects = new boolean[MAX_DEPTH + 1];
  private int depth;
  private int keyStart;
  private int at;
  private int from;
  private int to;
  private boolean quoted;

  private Json(String text, Visitor visitor) {
    this.text = text;
    this.visitor = visitor;
  }

  /** Returns whether the whole text is well-formed. */
  static boolean visit(String text, Visitor visitor) {
    return new Json(text, visitor).run();
  }

  boolean isAt(String place) {
    return path.length() == place.length() && path.indexOf(place) == 0;
  }

  /** Returns whether the scalar is the value of this key, in whatever object. */
  boolean isKey(String key) {
    return path.length() - keyStart == key.length() && path.indexOf(key, keyStart) == keyStart;
  }

  /** Returns whether the path begins with {@code place}. */
  boolean isWithin(String place) {
    if (path.length() < place.length()) {
      return false;
    }
    for (int i = 0; i < place.length(); i++) {
      if (path.charAt(i) != place.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Returns how many objects and arrays are open, the one that ends included. */
  int depth() {
    return depth;
  }

  String path() {
    return path.toString();
  }

  /** Returns whether the scalar is a string, not a number or a word. */
  boolean isString() {
    return quoted;
  }

  /** Returns the scalar's text, that of a string without its quotes and escapes. */
  String text() {
    String raw = text.substring(from, to);
    return quoted && raw.indexOf('\\') >= 0 ? JsonEscapes.decode(raw) : raw;
  }

  private boolean run() {
    skipSpaces();
    boolean valueNext = true;
    while (true) {
      if (valueNext) {
        if (at == text.length()) {
          return false;
        }
        char c = text.charAt(at);
        if (c == '{' || c == '[') {
          if (!open(c == '{')) {
            return false;
          }
          if (!closes()) {
            if (objects[depth] && !key()) {
              return false;
            }
            continue;
          }
          close();
        } else if (!scalar(c)) {
          return false;
        }
      }
      skipSpaces();
      if (depth == 0) {
        return at == text.length();
      }
      if (at == text.length()) {
        return false;
      }
      if (closes()) {
        close();
        valueNext = false;
      } else if (text.charAt(at) == ',') {
        at++;
        skipSpaces();
        if (objects[depth] && !key()) {
          return false;
        }
        valueNext = true;
      } else {
        return false;
      }
    }
  }

  private boolean open(boolean object) {
    if (depth == MAX_DEPTH) {
      return false;
    }
    depth++;
    at++;
    pathLengths[depth] = path.length();
    objects[depth] = object;
    if (!object) {
      append("[]");
    }
    skipSpaces();
    return true;
  }

  private boolean closes() {
    return at < text.length() && text.charAt(at) == (objects[depth] ? '}' : ']');
  }

  private void close() {
    path.setLength(pathLengths[depth]);
    if (objects[depth]) {
      visitor.endObject(this);
    }
    depth--;
    at++;
  }

  private boolean key() {
    if (at == text.length() || text.charAt(at) != '"' || !string()) {
      return false;
    }
    path.setLength(pathLengths[depth]);
    if (!path.isEmpty()) {
      append(".");
    }
    keyStart = path.length();
    append(text.substring(from, Math.min(to, from + MAX_PATH)));
    skipSpaces();
    if (at == text.length() || text.charAt(at) != ':') {
      return false;
    }
    at++;
    skipSpaces();
    return true;
  }

  private void append(String part) {
    path.append(part, 0, Math.min(part.length(), Math.max(0, MAX_PATH - path.length())));
  }

  private boolean scalar(char first) {
    boolean valid;
    if (first == '"') {
      valid = string();
      quoted = true;
    } else {
      quoted = false;
      from = at;
      boolean isNumber = first == '-' || Ascii.isDigit(first);
      valid = isNumber ? number() : word();
      to = at;
    }
    if (valid) {
      visitor.scalar(this);
    }
    return valid;
  }

  private boolean word() {
    for (String word : WORDS) {
      if (text.startsWith(word, at)) {
        at += word.length();
        return true;
      }
    }
    return false;
  }

  private boolean string() {
    from = ++at;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') {
        to = at - 1;
        return true;
      }
      if (c < 0x20) {
        return false;
      }
      if (c == '\\') {
        int length = JsonEscapes.length(text, at);
        if (length == 0) {
          return false;
        }
        at += length;
      }
    }
    return false;
  }

  private boolean number() {
    if (text.charAt(at) == '-') {
      at++;
    }
    int start = at;
    int digits = digits();
    if (digits == 0 || (digits > 1 && text.charAt(start) == '0')) {
      return false;
    }
    if (at < text.length() && text.charAt(at) == '.') {
      at++;
      if (digits() == 0) {
        return false;
      }
    }
    if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
      at++;
      if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
        at++;
      }
      return digits() > 0;
    }
    return true;
  }

  private int digits() {
    int start = at;
    while (at < text.length() && Ascii.isDigit(text.charAt(at))) {
      at++;
    }
    return at - start;
  }

  private void skipSpaces() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }
}
