package dev.paceline.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import okhttp3.OkHttpClient;

/** Listens to what OkHttp says of responses that nobody closed. */
final class Leaks extends Handler implements AutoCloseable {

  private static final Logger OKHTTP = Logger.getLogger(OkHttpClient.class.getName());

  private final List<String> reports = new CopyOnWriteArrayList<>();

  Leaks() {
    OKHTTP.addHandler(this);
  }

  @Override
  public void publish(LogRecord record) {
    if (record.getMessage() != null && record.getMessage().contains("leaked")) {
      reports.add(record.getMessage());
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    OKHTTP.removeHandler(this);
  }

  /** Within a second no connection is in use, and none was found leaked. */
  void assertNone(OkHttpClient client) {
    long until = System.nanoTime() + 1_000_000_000L;
    while (inUse(client) > 0 && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    System.gc();
    client.connectionPool().evictAll();
    assertThat(inUse(client)).isZero();
    assertThat(reports).isEmpty();
  }

  private static int inUse(OkHttpClient client) {
    return client.connectionPool().connectionCount()
        - client.connectionPool().idleConnectionCount();
  }
}
