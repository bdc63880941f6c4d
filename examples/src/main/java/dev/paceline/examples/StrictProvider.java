package dev.paceline.examples;

import dev.paceline.time.TimeSource;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An HTTP provider on this machine that enforces its own limit and notes every arrival.
 *
 * <p>It has a thread for each connection and answers without Nagle's delay, so that a request is
 * judged within some tens of microseconds of its arrival. {@value #UNJUDGED} is free, so that
 * clients can open their connections before they are measured.
 */
final class StrictProvider implements AutoCloseable {
  /** The path whose requests are neither limited nor noted. */
  static final String UNJUDGED = "/ready";

  private static final int LONGEST_HEAD = 64 * 1_024;

  private final TimeSource time;
  private final int perSecond;
  private final int burst;
  private final ServerSocket server;
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private volatile StrictLimit limit;
  private volatile Arrivals arrivals = new Arrivals();

  private StrictProvider(TimeSource time, int perSecond, int burst) throws IOException {
    this.time = time;
    this.perSecond = perSecond;
    this.burst = burst;
    this.limit = new StrictLimit(perSecond, burst);
    this.server = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
  }

  /** Starts a provider on a free port of the loopback interface. */
  static StrictProvider start(TimeSource time, int perSecond, int burst) throws IOException {
    StrictProvider provider = new StrictProvider(time, perSecond, burst);
    daemon("provider", provider::acceptConnections);
    return provider;
  }

  private static void daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  int perSecond() {
    return perSecond;
  }

  int burst() {
    return burst;
  }

  String host() {
    return server.getInetAddress().getHostAddress();
  }

  String url(String path) {
    return "http://%s:%d%s".formatted(host(), server.getLocalPort(), path);
  }

  /** Forgets what was, and returns the record of what comes from now on. */
  Arrivals restart() {
    Arrivals fresh = new Arrivals();
    limit = new StrictLimit(perSecond, burst);
    arrivals = fresh;
    return fresh;
  }

  private void acceptConnections() {
    while (!server.isClosed()) {
      try {
        Socket connection = server.accept();
        connection.setTcpNoDelay(true);
        connections.add(connection);
        daemon("provider connection", () -> serve(connection));
      } catch (IOException e) {
        // Closed, which ends the loop, or a connection that was gone before it was accepted.
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      InputStream in = new BufferedInputStream(connection.getInputStream());
      OutputStream out = connection.getOutputStream();
      while (answer(in, out)) {
        out.flush();
      }
    } catch (IOException e) {
      // The client has gone.
    } finally {
      connections.remove(connection);
    }
  }

  private boolean answer(InputStream in, OutputStream out) throws IOException {
    String head = head(in);
    if (head.isEmpty()) {
      return false;
    }
    long at = time.nanoTime();
    in.skipNBytes(bodyLength(head));
    boolean judged = !head.startsWith(UNJUDGED, head.indexOf(' ') + 1);
    boolean accepted = !judged || limit.accepts(at);
    if (judged) {
      arrivals.add(at, accepted);
    }
    String body = accepted ? "{\"ok\":true}\n" : "{\"error\":\"too many requests\"}\n";
    String response =
        "HTTP/1.1 "
            + (accepted ? "200 OK" : "429 Too Many Requests")
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body;
    out.write(response.getBytes(StandardCharsets.US_ASCII));
    return true;
  }

  /** The request line and the headers; empty when the client has closed the connection. */
  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    for (int c = in.read(); c >= 0; c = in.read()) {
      head.append((char) c);
      int length = head.length();
      if (c == '\n' && length >= 4 && head.charAt(length - 3) == '\n') {
        return head.toString();
      }
      if (length > LONGEST_HEAD) {
        throw new IOException("the request's head is too long");
      }
    }
    return "";
  }

  private static long bodyLength(String head) throws IOException {
    String name = "\r\ncontent-length:";
    int at = head.toLowerCase(Locale.ROOT).indexOf(name);
    if (at < 0) {
      return 0;
    }
    String value = head.substring(at + name.length(), head.indexOf('\r', at + name.length()));
    try {
      return Long.parseLong(value.strip());
    } catch (NumberFormatException e) {
      throw new IOException("Content-Length is no number", e);
    }
  }

  @Override
  public void close() {
    try {
      server.close();
      for (Socket connection : connections) {
        connection.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
