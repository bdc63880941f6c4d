package dev.paceline.rule;

import java.util.Locale;

/**
 * Which requests a rule counts, by method and path: {@code POST /v1/charges}, {@code GET
 * /v1/customers/*}, {@code /v1/**}, {@code POST}, or {@code *} for all.
 *
 * <p>{@code *} stands for exactly one segment, and {@code **} at the end for any number of them,
 * also none. Paths are compared as they are sent, percent-encoded; a trailing slash counts.
 */
public final class RoutePattern {

  private static final String ANY = "*";

  private final String text;
  private final String method;
  private final String[] segments;
  private final boolean open;

  private RoutePattern(String text, String method, String[] segments, boolean open) {
    this.text = text;
    this.method = method;
    this.segments = segments;
    this.open = open;
  }

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException if it is not of the forms above, or could never match
   */
  public static RoutePattern parse(String text) {
    String trimmed = text.trim();
    int space = trimmed.indexOf(' ');
    String method = space < 0 && !trimmed.startsWith("/") ? trimmed : ANY;
    String path = trimmed.startsWith("/") ? trimmed : "/**";
    if (space >= 0) {
      method = trimmed.substring(0, space);
      path = trimmed.substring(space + 1).trim();
    }
    checkMethod(text, method);
    checkPath(text, path);
    boolean open = path.endsWith("/**");
    String fixed = open ? path.substring(0, path.length() - 3) : path;
    String[] segments = fixed.isEmpty() ? new String[0] : fixed.substring(1).split("/", -1);
    return new RoutePattern(trimmed, method.toUpperCase(Locale.ROOT), segments, open);
  }

  private static void checkMethod(String text, String method) {
    boolean letters = method.chars().allMatch(c -> c < 128 && Character.isLetter(c));
    if (method.isEmpty() || !(letters || method.equals(ANY))) {
      throw new IllegalArgumentException(
          "route \"" + text + "\" has the method \"" + method + "\"; it must be letters or *");
    }
  }

  private static void checkPath(String text, String path) {
    int deep = path.indexOf("**");
    boolean allowed =
        path.startsWith("/")
            && path.indexOf('?') < 0
            && path.indexOf('#') < 0
            && path.indexOf(' ') < 0
            && (deep < 0 || (deep == path.length() - 2 && path.endsWith("/**")));
    if (!allowed) {
      throw new IllegalArgumentException(
          "route \""
              + text
              + "\" has the path \""
              + path
              + "\", which no request can match; it must begin with / and hold no space, query or"
              + " fragment, and ** only as its last segment");
    }
  }

  /** True if it counts every request. */
  public boolean matchesAll() {
    return method.equals(ANY) && open && segments.length == 0;
  }

  /** True if a request of this method and path counts. */
  public boolean matches(String requestMethod, String path) {
    return (method.equals(ANY) || method.equals(requestMethod)) && matchesPath(path);
  }

  private boolean matchesPath(String path) {
    int from = 1;
    for (int i = 0; i < segments.length; i++) {
      if (from > path.length() || (i == 0 && !path.startsWith("/"))) {
        return false;
      }
      int end = path.indexOf('/', from);
      end = end < 0 ? path.length() : end;
      if (!matchesSegment(segments[i], path, from, end)) {
        return false;
      }
      from = end + 1;
    }
    return open ? from <= path.length() + 1 : from == path.length() + 1;
  }

  private static boolean matchesSegment(String segment, String path, int from, int end) {
    if (segment.equals(ANY)) {
      return end > from;
    }
    return segment.length() == end - from && path.startsWith(segment, from);
  }

  /**
   * How narrow the pattern is: literal segments count most, then a closed end, then more segments,
   * then a method. Of two that match, the narrower rules.
   */
  int narrowness() {
    int literals = 0;
    for (String segment : segments) {
      literals += segment.equals(ANY) ? 0 : 1;
    }
    return literals * 10_000
        + (open ? 0 : 5_000)
        + Math.min(segments.length, 999) * 4
        + (method.equals(ANY) ? 0 : 1);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RoutePattern that
        && method.equals(that.method)
        && open == that.open
        && java.util.Arrays.equals(segments, that.segments);
  }

  @Override
  public int hashCode() {
    return method.hashCode() * 31 + java.util.Arrays.hashCode(segments);
  }

  @Override
  public String toString() {
    return text;
  }
}
