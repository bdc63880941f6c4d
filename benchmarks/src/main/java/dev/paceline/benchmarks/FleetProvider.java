package dev.paceline.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Scanner;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A provider in a process of its own that judges arrivals by its own limit, written independently
 * of the SDK. Says its port, and then obeys lines: {@code limit perSecond burst} changes the limit
 * and forgets the counts, {@code report} says {@code accepted refused seconds worker=accepted ...}.
 * {@code tell worker seconds late} answers the worker's next request with a 429 and that wait, so
 * many milliseconds late, {@code since} says how many requests came in each {@value #SLICE_MILLIS}
 * ms since the last was told, and how many were refused.
 */
final class FleetProvider {

  static final int SLICE_MILLIS = 100;

  private static final int MOST_SLICES = 36_000;

  private long intervalNanos = 5_000_000;
  private long toleranceNanos;
  private long next;
  private boolean fresh = true;
  private long first;
  private long last;
  private long refused;
  private final Map<String, Long> accepted = new TreeMap<>();
  private final Map<String, Told> toTell = new HashMap<>();
  private final List<Long> slices = new ArrayList<>();
  private long told;

  /** A wait that a worker is told, some milliseconds after its request. */
  private record Told(String seconds, long late) {}

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
        } else if (words[0].equals("tell")) {
          provider.tell(words[1], new Told(words[2], Long.parseLong(words[3])));
        } else {
          System.out.println(words[0].equals("since") ? provider.sinceTold() : provider.report());
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

  private synchronized void tell(String worker, Told wait) {
    toTell.put(worker, wait);
  }

  /** The wait that a worker is told for this request. */
  private synchronized Optional<Told> told(String worker) {
    Optional<Told> wait = Optional.ofNullable(toTell.remove(worker));
    if (wait.isPresent()) {
      told = System.nanoTime();
      slices.clear();
      refused = 0;
    }
    return wait;
  }

  private synchronized String sinceTold() {
    StringBuilder line = new StringBuilder(Long.toString(refused));
    slices.forEach(count -> line.append(' ').append(count));
    return line.toString();
  }

  private void note(long now) {
    int slice = (int) Math.min(MOST_SLICES, (now - told) / (SLICE_MILLIS * 1_000_000L));
    while (told != 0 && slices.size() <= slice) {
      slices.add(0L);
    }
    if (told != 0) {
      slices.set(slice, slices.get(slice) + 1);
    }
  }

  private synchronized boolean accepts(String worker) {
    long now = System.nanoTime();
    note(now);
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

  private String answer(String head) throws InterruptedException {
    if (head.startsWith("GET /ready")) {
      return LoopbackHttp.of("200 OK");
    }
    String worker = worker(head);
    Optional<Told> wait = told(worker);
    if (wait.isPresent()) {
      TimeUnit.MILLISECONDS.sleep(wait.get().late());
      return LoopbackHttp.of("429 Too Many Requests\r\nRetry-After: " + wait.get().seconds());
    }
    return LoopbackHttp.of(accepts(worker) ? "200 OK" : "429 Too Many Requests");
  }

  private static String worker(String head) {
    int at = head.indexOf("/worker/") + 8;
    return head.substring(at, head.indexOf(' ', at));
  }
}
