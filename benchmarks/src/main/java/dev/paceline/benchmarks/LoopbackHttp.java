package dev.paceline.benchmarks;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The least HTTP server: a thread a connection, requests without bodies. Thread-safe. */
public final class LoopbackHttp implements AutoCloseable {

  private static final int MOST_HEAD = 65_536;

  private final ServerSocket server = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private final Answers answers;

  /** Says what is answered. Called on the connection's thread. */
  @FunctionalInterface
  public interface Answers {

    /**
     * The answer as it goes over the wire, without a body of its own if {@link #of} made it.
     *
     * @param head the request's head, up to the blank line
     * @return empty to reset the connection
     */
    String to(String head) throws InterruptedException;
  }

  /** Serves until it is closed. */
  public LoopbackHttp(Answers answers) throws IOException {
    this.answers = answers;
    daemon(this::accept);
  }

  /** An answer with an empty body. */
  public static String of(String statusAndFields) {
    return "HTTP/1.1 " + statusAndFields + "\r\nContent-Length: 0\r\n\r\n";
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "loopback-http");
    thread.setDaemon(true);
    thread.start();
  }

  /** The address that is served. */
  public String host() {
    return server.getInetAddress().getHostAddress();
  }

  /** The port that is served. */
  public int port() {
    return server.getLocalPort();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket connection = server.accept();
        connection.setTcpNoDelay(true);
        connections.add(connection);
        daemon(() -> serve(connection));
      } catch (IOException e) {
        // Closed, which ends the loop, or a connection that was gone before it was accepted.
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      InputStream in = new BufferedInputStream(connection.getInputStream());
      OutputStream out = connection.getOutputStream();
      for (String head = head(in); !head.isEmpty(); head = head(in)) {
        String answer = answers.to(head);
        if (answer.isEmpty()) {
          connection.setSoLinger(true, 0);
          return;
        }
        out.write(answer.getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      // The client has gone.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      connections.remove(connection);
    }
  }

  /** Reads to the blank line; empty at the end of the stream. */
  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    for (int c = in.read(); c >= 0; c = in.read()) {
      head.append((char) c);
      if (c == '\n' && head.length() >= 4 && head.charAt(head.length() - 3) == '\n') {
        return head.toString();
      }
      if (head.length() > MOST_HEAD) {
        throw new IOException("the request's head is too long");
      }
    }
    return "";
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
