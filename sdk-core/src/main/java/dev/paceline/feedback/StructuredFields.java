package dev.paceline.feedback;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The structured fields of RFC 9651, strictly: a syntax error anywhere makes the whole field null.
 * One pass, no recursion, and no more than {@value #MAX_MEMBERS} members with {@value #MAX_PARAMS}
 * parameters each, those of a repeated key counted.
 */
final class StructuredFields {

  static final int MAX_MEMBERS = 128;
  static final int MAX_PARAMS = 64;

  private static final StructuredValue TRUE =
      new StructuredValue(StructuredValue.Type.BOOLEAN, "1", 1);

  /**
   * A member of a list or dictionary.
   *
   * @param key its key, empty in a list
   * @param value its value
   * @param params its parameters, the last of a repeated key
   */
  record Member(String key, StructuredValue value, List<Param> params) {

    @Nullable StructuredValue param(String key) {
      for (Param param : params) {
        if (param.key.equals(key)) {
          return param.value;
        }
      }
      return null;
    }
  }

  /** A parameter. */
  record Param(String key, StructuredValue value) {}

  private final String text;
  private int at;

  private StructuredFields(String text) {
    this.text = text;
  }

  /** Returns the members of a List, or null. */
  static @Nullable List<Member> list(String text) {
    return new StructuredFields(text).members(false);
  }

  /** Returns the members of a Dictionary in order, the last of a repeated key, or null. */
  static @Nullable List<Member> dictionary(String text) {
    return new StructuredFields(text).members(true);
  }

  private @Nullable List<Member> members(boolean keyed) {
    List<Member> members = new ArrayList<>();
    int count = 0;
    skipSpaces();
    while (at < text.length()) {
      String key = keyed ? key() : "";
      if (key == null || count++ == MAX_MEMBERS) {
        return null;
      }
      StructuredValue value = keyed && !accept('=') ? TRUE : itemOrInnerList();
      List<Param> params = params();
      if (value == null || params == null) {
        return null;
      }
      if (keyed) {
        members.removeIf(member -> member.key.equals(key));
      }
      members.add(new Member(key, value, params));
      skipOptionalWhitespace();
      if (at == text.length()) {
        return members;
      }
      if (!accept(',')) {
        return null;
      }
      skipOptionalWhitespace();
      if (at == text.length()) {
        return null;
      }
    }
    return members;
  }

  private @Nullable StructuredValue itemOrInnerList() {
    if (!accept('(')) {
      return bareItem();
    }
    while (at < text.length()) {
      skipSpaces();
      if (accept(')')) {
        return StructuredValue.of(StructuredValue.Type.LIST, "");
      }
      if (bareItem() == null || params() == null) {
        return null;
      }
      if (at < text.length() && text.charAt(at) != ' ' && text.charAt(at) != ')') {
        return null;
      }
    }
    return null;
  }

  private @Nullable List<Param> params() {
    List<Param> params = List.of();
    int count = 0;
    while (accept(';')) {
      skipSpaces();
      String key = key();
      StructuredValue value = key == null ? null : accept('=') ? bareItem() : TRUE;
      if (key == null || value == null || count++ == MAX_PARAMS) {
        return null;
      }
      if (params.isEmpty()) {
        params = new ArrayList<>(4);
      }
      params.removeIf(param -> param.key.equals(key));
      params.add(new Param(key, value));
    }
    return params;
  }

  private @Nullable String key() {
    int start = at;
    if (at == text.length() || !(isLower(text.charAt(at)) || text.charAt(at) == '*')) {
      return null;
    }
    while (at < text.length()) {
      char c = text.charAt(at);
      if (!isLower(c) && !Ascii.isDigit(c) && "_-.*".indexOf(c) < 0) {
        break;
      }
      at++;
    }
    return text.substring(start, at);
  }

  private @Nullable StructuredValue bareItem() {
    if (at == text.length()) {
      return null;
    }
    char c = text.charAt(at);
    if (c == '-' || Ascii.isDigit(c)) {
      return number(StructuredValue.Type.INTEGER);
    }
    if (c == '*' || isLower(Ascii.lower(c))) {
      return token();
    }
    at++;
    return switch (c) {
      case '"' -> string();
      case ':' -> bytes();
      case '?' -> accept('1') ? TRUE : accept('0') ? falseValue() : null;
      case '@' -> date();
      case '%' -> accept('"') ? displayString() : null;
      default -> null;
    };
  }

  private static StructuredValue falseValue() {
    return StructuredValue.of(StructuredValue.Type.BOOLEAN, "0");
  }

  private @Nullable StructuredValue date() {
    StructuredValue value = number(StructuredValue.Type.DATE);
    return value != null && value.type() == StructuredValue.Type.DATE ? value : null;
  }

  private @Nullable StructuredValue number(StructuredValue.Type integer) {
    int start = at;
    accept('-');
    int digits = digits();
    if (digits == 0 || digits > 15) {
      return null;
    }
    if (at < text.length() && text.charAt(at) == '.') {
      at++;
      int fraction = digits();
      if (digits > 12 || fraction == 0 || fraction > 3) {
        return null;
      }
      return StructuredValue.of(StructuredValue.Type.DECIMAL, text.substring(start, at));
    }
    // At most 15 digits and a sign, all ASCII: parseLong cannot fail.
    String digitsOnly = text.substring(start, at);
    return new StructuredValue(integer, digitsOnly, Long.parseLong(digitsOnly));
  }

  private int digits() {
    int start = at;
    while (at < text.length() && Ascii.isDigit(text.charAt(at))) {
      at++;
    }
    return at - start;
  }

  private @Nullable StructuredValue string() {
    StringBuilder value = new StringBuilder();
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') {
        return StructuredValue.of(StructuredValue.Type.STRING, value.toString());
      }
      if (c == '\\') {
        if (at == text.length() || (text.charAt(at) != '"' && text.charAt(at) != '\\')) {
          return null;
        }
        c = text.charAt(at++);
      }
      if (c < 0x20 || c > 0x7e) {
        return null;
      }
      value.append(c);
    }
    return null;
  }

  private StructuredValue token() {
    int start = at++;
    while (at < text.length() && isTokenChar(text.charAt(at))) {
      at++;
    }
    return StructuredValue.of(StructuredValue.Type.TOKEN, text.substring(start, at));
  }

  private @Nullable StructuredValue bytes() {
    int end = text.indexOf(':', at);
    if (end < 0) {
      return null;
    }
    String encoded = text.substring(at, end);
    at = end + 1;
    return StructuredValue.isBase64(encoded)
        ? StructuredValue.of(StructuredValue.Type.BYTES, encoded)
        : null;
  }

  private @Nullable StructuredValue displayString() {
    int end = text.indexOf('"', at);
    String decoded = end < 0 ? null : StructuredValue.decodeDisplay(text.substring(at, end));
    if (decoded == null) {
      return null;
    }
    at = end + 1;
    return StructuredValue.of(StructuredValue.Type.DISPLAY, decoded);
  }

  private boolean accept(char c) {
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private void skipSpaces() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
  }

  private void skipOptionalWhitespace() {
    while (at < text.length() && Ascii.isSpace(text.charAt(at))) {
      at++;
    }
  }

  private static boolean isLower(char c) {
    return c >= 'a' && c <= 'z';
  }

  private static boolean isTokenChar(char c) {
    return isLower(Ascii.lower(c)) || Ascii.isDigit(c) || "!#$%&'*+-.^_`|~:/".indexOf(c) >= 0;
  }
}
