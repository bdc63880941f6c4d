package dev.paceline.benchmarks.soak;

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
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** An HTTP provider on this machine that notes every arrival and misbehaves as it is told. */
final class ShakyProvider implements AutoCloseable {

  /** What becomes of a request. */
  enum Mood {
    WELL,
    THROTTLING,
    UNAVAILABLE,
    RESETTING,
    SLOW
  }

  private final ServerSocket server;
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private final ConcurrentLinkedQueue<Long> arrivals = new ConcurrentLinkedQueue<>();
  private volatile Mood mood = Mood.WELL;

  ShakyProvider() throws IOException {
    server = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "shaky-provider");
    thread.setDaemon(true);
    thread.start();
  }

  String host() {
    return server.getInetAddress().getHostAddress();
  }

  String url() {
    return "http://" + host() + ":" + server.getLocalPort() + "/";
  }

  void be(Mood next) {
    mood = next;
  }

  /** When requests arrived, in order. */
  long[] arrivals() {
    return arrivals.stream().mapToLong(Long::longValue).sorted().toArray();
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
      while (readHead(in)) {
        arrivals.add(System.nanoTime());
        String answer = answer(mood);
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

  private static String answer(Mood mood) throws InterruptedException {
    return switch (mood) {
      case WELL -> "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
      case SLOW -> {
        TimeUnit.MILLISECONDS.sleep(300);
        yield "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
      }
      case THROTTLING ->
          "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n";
      case UNAVAILABLE -> "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n";
      case RESETTING -> "";
    };
  }

  /** Reads to the blank line; false at the end of the stream. */
  private static boolean readHead(InputStream in) throws IOException {
    int matched = 0;
    while (matched < 4) {
      int c = in.read();
      if (c < 0) {
        return false;
      }
      matched = c == "\r\n\r\n".charAt(matched) ? matched + 1 : c == '\r' ? 1 : 0;
    }
    return true;
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
