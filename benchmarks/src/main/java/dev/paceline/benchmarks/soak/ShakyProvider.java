package dev.paceline.benchmarks.soak;

import dev.paceline.benchmarks.LoopbackHttp;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** An HTTP provider on this machine that notes every arrival and misbehaves as it is told. */
final class ShakyProvider implements AutoCloseable {

  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

  /** What becomes of a request. */
  enum Mood {
    WELL,
    THROTTLING,
    UNAVAILABLE,
    RESETTING,
    SLOW
  }

  private final Object lock = new Object();
  private long[] arrivals = new long[1_024];
  private int count;
  private final LoopbackHttp http;
  private volatile Mood mood = Mood.WELL;

  ShakyProvider() throws IOException {
    http = new LoopbackHttp(head -> arrived());
  }

  String host() {
    return http.host();
  }

  String url() {
    return "http://" + host() + ":" + http.port() + "/";
  }

  void be(Mood next) {
    mood = next;
  }

  /** When requests arrived, in order. */
  long[] arrivals() {
    synchronized (lock) {
      long[] sorted = Arrays.copyOf(arrivals, count);
      Arrays.sort(sorted);
      return sorted;
    }
  }

  private String arrived() throws InterruptedException {
    synchronized (lock) {
      if (count == arrivals.length) {
        arrivals = Arrays.copyOf(arrivals, 2 * count);
      }
      arrivals[count++] = System.nanoTime();
    }
    return switch (mood) {
      case WELL -> OK;
      case SLOW -> {
        TimeUnit.MILLISECONDS.sleep(300);
        yield OK;
      }
      case THROTTLING -> LoopbackHttp.of("429 Too Many Requests\r\nRetry-After: 1");
      case UNAVAILABLE -> LoopbackHttp.of("503 Service Unavailable");
      case RESETTING -> "";
    };
  }

  @Override
  public void close() {
    http.close();
  }
}
