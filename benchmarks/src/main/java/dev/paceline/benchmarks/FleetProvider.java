package dev.paceline.benchmarks;

import java.io.IOException;
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
    try (LoopbackHttp http = new LoopbackHttp(provider::answer);
        Scanner in = new Scanner(System.in, StandardCharsets.UTF_8)) {
      System.out.println(http.port());
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

  private String answer(String head) {
    boolean accepted = head.startsWith("GET /ready") || accepts(worker(head));
    return LoopbackHttp.of(accepted ? "200 OK" : "429 Too Many Requests");
  }

  private static String worker(String head) {
    int at = head.indexOf("/worker/") + 8;
    return head.substring(at, head.indexOf(' ', at));
  }
}
