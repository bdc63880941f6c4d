package dev.paceline.redis.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One plain connection to a Redis server, which knows nothing of what is being tested. */
public final class RawRedis implements AutoCloseable {
  private final Socket socket = new Socket();
  private final BufferedInputStream in;

  /** Connects to a port of this machine. */
  public RawRedis(int port) {
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(10_000);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 2_000);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One command of its own connection. */
  static Object once(int port, String... command) {
    try (RawRedis redis = new RawRedis(port)) {
      return redis.call(command);
    }
  }

  /**
   * Sends a command and waits for its reply.
   *
   * @return a String, a Long, a List, or null
   * @throws IllegalStateException with the server's words if it answers with an error
   */
  public Object call(String... command) {
    send(command);
    return read();
  }

  /** Sends a command without waiting. */
  public void send(String... command) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      write(out, "*" + command.length);
      for (String part : command) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        write(out, "$" + bytes.length);
        out.write(bytes);
        write(out, "");
      }
      socket.getOutputStream().write(out.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(ByteArrayOutputStream out, String line) {
    out.writeBytes((line + "\r\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Waits for one more reply: to {@link #send}, or a line of MONITOR. */
  public Object read() {
    try {
      String line = line();
      String rest = line.substring(1);
      return switch (line.charAt(0)) {
        case '+' -> rest;
        case ':' -> Long.valueOf(rest);
        case '-' -> throw new IllegalStateException(rest);
        case '$' -> bulk(Integer.parseInt(rest));
        case '*' -> list(Integer.parseInt(rest));
        default -> throw new IllegalStateException("unexpected reply: " + line);
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String bulk(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    byte[] bytes = in.readNBytes(length);
    in.readNBytes(2);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private List<Object> list(int length) {
    if (length < 0) {
      return null;
    }
    List<Object> items = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      items.add(read());
    }
    return items;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = in.read();
    while (next != '\r') {
      if (next < 0) {
        throw new IOException("the server closed the connection");
      }
      line.write(next);
      next = in.read();
    }
    in.read();
    return line.toString(StandardCharsets.UTF_8);
  }

  /** Closes with a reset where {@code abruptly}, as a process does that is killed. */
  public void close(boolean abruptly) {
    try {
      socket.setSoLinger(abruptly, 0);
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    close(false);
  }
}
