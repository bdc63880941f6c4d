package dev.paceline.benchmarks;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Scanner;
import java.util.TreeMap;

/**
 * A provider in a process of its own that judges arrivals by its own limit, written independently
 * of the SDK. Says its port, and then obeys lines: {@code limit perSecond burst} changes the limit
 * and forgets the counts, {@code report} says {@code accepted refused seconds worker=accepted ...}.
 */
final class FleetProvider {

  private static final int MOST_HEAD = 65_536;

  private long intervalNanos = 5_000_000;
  private long toleranceNanos;
  private long next;
  private boolean fresh = true;
  private long first;
  private long last;
  private long refused;
  private final Map<String, Long> accepted = new TreeMap<>();

  private FleetProvider() {}

  /** Runs until its input ends. */
  public static void main(String[] args) throws IOException {
    FleetProvider provider = new FleetProvider();
    try (ServerSocket server = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
        Scanner in = new Scanner(System.in, StandardCharsets.UTF_8)) {
      daemon(() -> provider.accept(server));
      System.out.println(server.getLocalPort());
      while (in.hasNextLine()) {
        String[] words = in.nextLine().split(" ", -1);
        if (words[0].equals("limit")) {
          provider.limit(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        } else {
          System.out.println(provider.report());
        }
      }
    }
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "provider");
    thread.setDaemon(true);
    thread.start();
  }

  private synchronized void limit(int perSecond, int burst) {
    intervalNanos = 1_000_000_000L / perSecond;
    toleranceNanos = intervalNanos * (burst - 1);
    refused = 0;
    accepted.clear();
    first = 0;
  }

  private synchronized boolean accepts(String worker) {
    long now = System.nanoTime();
    if (first == 0) {
      first = now;
    }
    last = now;
    long due = fresh || next - now < 0 ? now : next;
    if (due - now > toleranceNanos) {
      refused++;
      return false;
    }
    fresh = false;
    next = due + intervalNanos;
    accepted.merge(worker, 1L, Long::sum);
    return true;
  }

  private synchronized String report() {
    long sum = accepted.values().stream().mapToLong(Long::longValue).sum();
    StringBuilder line = new StringBuilder(sum + " " + refused + " " + (last - first) / 1e9);
    accepted.forEach((worker, count) -> line.append(' ').append(worker).append('=').append(count));
    return line.toString();
  }

  private void accept(ServerSocket server) {
    while (!server.isClosed()) {
      try {
        Socket connection = server.accept();
        connection.setTcpNoDelay(true);
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
        String status = "200 OK";
        if (!head.startsWith("GET /ready")) {
          status = accepts(worker(head)) ? "200 OK" : "429 Too Many Requests";
        }
        String answer = "HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n";
        out.write(answer.getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      // The client has gone.
    }
  }

  private static String worker(String head) {
    int at = head.indexOf("/worker/") + 8;
    return head.substring(at, head.indexOf(' ', at));
  }

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
}
