package dev.paceline.redis.testing;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Cuts a stream of RESP2 or RESP3 into whole replies, as bytes. */
final class RespReader {
  private final InputStream in;

  RespReader(InputStream in) {
    this.in = in;
  }

  /** The next whole reply with all that is nested in it; null at the end of the stream. */
  byte[] next() throws IOException {
    int type = in.read();
    if (type < 0) {
      return null;
    }
    ByteArrayOutputStream reply = new ByteArrayOutputStream(64);
    copy(type, reply);
    return reply.toByteArray();
  }

  private void copy(int type, ByteArrayOutputStream to) throws IOException {
    to.write(type);
    int head = to.size();
    copyLine(to);
    switch (type) {
      case '$', '=', '!' -> copyBytes(to, length(to, head) + 2);
      case '*', '~', '>' -> copyNested(to, length(to, head));
      case '%' -> copyNested(to, 2 * length(to, head));
      case '|' -> copyNested(to, 2 * length(to, head) + 1);
      default -> {}
    }
  }

  private static int length(ByteArrayOutputStream to, int head) {
    String line = to.toString(java.nio.charset.StandardCharsets.ISO_8859_1).substring(head).strip();
    return Integer.parseInt(line);
  }

  private void copyLine(ByteArrayOutputStream to) throws IOException {
    int last = 0;
    while (true) {
      int next = read();
      to.write(next);
      if (last == '\r' && next == '\n') {
        return;
      }
      last = next;
    }
  }

  private void copyBytes(ByteArrayOutputStream to, int count) throws IOException {
    // A null bulk string has the length -1 and nothing after it.
    for (int i = 0; i < count && count != 1; i++) {
      to.write(read());
    }
  }

  private void copyNested(ByteArrayOutputStream to, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      copy(read(), to);
    }
  }

  private int read() throws IOException {
    int next = in.read();
    if (next < 0) {
      throw new EOFException();
    }
    return next;
  }
}
