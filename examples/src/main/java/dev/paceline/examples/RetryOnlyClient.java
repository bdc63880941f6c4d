package dev.paceline.examples;

import dev.paceline.time.TimeSource;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import okhttp3.OkHttpClient;

/**
 * Sends at once, and when it is refused, again after a draw from [0, min(30 s, 500 ms ·
 * 2^attempt)], four attempts in all: the retries that Paceline does by default, without its pacing.
 */
final class RetryOnlyClient implements DemoClient {
  private static final int MOST_ATTEMPTS = 4;
  private static final long BASE_NANOS = 500_000_000L;
  private static final long CAP_NANOS = 30_000_000_000L;

  private final TimeSource time;
  private final StrictProvider provider;
  private final OkHttpClient client;

  RetryOnlyClient(TimeSource time, StrictProvider provider, int callers) {
    this.time = time;
    this.provider = provider;
    this.client = Charges.client(callers).build();
  }

  @Override
  public void connect() throws IOException {
    Charges.status(client, Charges.ready(provider).build());
  }

  @Override
  public Optional<Ended> call(long end) throws IOException {
    long asked = time.nanoTime();
    for (int attempt = 0; ; attempt++) {
      long sent = time.nanoTime();
      boolean ok = Charges.status(client, Charges.charge(provider).build()) < 400;
      if (ok || attempt == MOST_ATTEMPTS - 1) {
        return Optional.of(new Ended(ok, sent - asked));
      }
      long ceiling = Math.min(CAP_NANOS, BASE_NANOS << attempt);
      long again = time.nanoTime() + ThreadLocalRandom.current().nextLong(ceiling);
      if (end - again <= 0) {
        return Optional.empty();
      }
      parkUntil(again);
    }
  }

  private void parkUntil(long until) {
    for (long left = until - time.nanoTime(); left > 0; left = until - time.nanoTime()) {
      time.park(this, left);
    }
  }

  @Override
  public void close() {
    Charges.close(client);
  }
}
