package dev.paceline.feedback;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A bare item of a structured field.
 *
 * @param type its type; {@link Type#LIST} stands for an inner list, whose items nobody needs
 * @param text its text, a byte sequence still encoded
 * @param number the number of an integer, a date or a boolean
 */
record StructuredValue(Type type, String text, long number) {

  enum Type {
    INTEGER,
    DECIMAL,
    STRING,
    TOKEN,
    BYTES,
    BOOLEAN,
    DATE,
    DISPLAY,
    LIST
  }

  static StructuredValue of(Type type, String text) {
    return new StructuredValue(type, text, 0);
  }

  boolean isNonNegativeInteger() {
    return type == Type.INTEGER && number >= 0;
  }

  boolean isName() {
    return type == Type.STRING || type == Type.TOKEN;
  }

  /** Pad bits that are not zero and missing padding are allowed (RFC 9651 section 4.2.7). */
  static boolean isBase64(String text) {
    int end = text.length();
    while (end > 0 && text.length() - end < 2 && text.charAt(end - 1) == '=') {
      end--;
    }
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      boolean letter = Ascii.lower(c) >= 'a' && Ascii.lower(c) <= 'z';
      if (!letter && !Ascii.isDigit(c) && c != '+' && c != '/') {
        return false;
      }
    }
    boolean padded = end < text.length();
    return end % 4 != 1 && (!padded || text.length() % 4 == 0);
  }

  /** Decodes percent-encoded UTF-8, or returns null. */
  static @Nullable String decodeDisplay(String text) {
    ByteBuffer bytes = ByteBuffer.allocate(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x20 || c > 0x7e) {
        return null;
      }
      if (c == '%') {
        int high = hex(text, i + 1);
        int low = hex(text, i + 2);
        if (high < 0 || low < 0) {
          return null;
        }
        bytes.put((byte) (high * 16 + low));
        i += 2;
      } else {
        bytes.put((byte) c);
      }
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static int hex(String text, int at) {
    char c = at < text.length() ? text.charAt(at) : ' ';
    return Ascii.isDigit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  }
}
