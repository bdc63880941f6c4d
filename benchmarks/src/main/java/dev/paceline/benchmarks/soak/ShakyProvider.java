package dev.paceline.benchmarks.soak;

import dev.paceline.benchmarks.LoopbackHttp;
import java.io.IOException;
import java.util.concurrent.ConcurrentLinkedQueue;
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

  private final ConcurrentLinkedQueue<Long> arrivals = new ConcurrentLinkedQueue<>();
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
    return arrivals.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  private String arrived() throws InterruptedException {
    arrivals.add(System.nanoTime());
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
