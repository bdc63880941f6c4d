package dev.paceline.examples.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.redis.testing.RedisServer;
import dev.paceline.time.TimeSource;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProgramsTest {
  private final TimeSource time = TimeSource.system();
  private final MockWebServer server = new MockWebServer();
  private final List<Long> arrivals = new CopyOnWriteArrayList<>();
  private final List<RecordedRequest> requests = new CopyOnWriteArrayList<>();

  /** Answers the request of an index, from 0. */
  private interface Answer {
    MockResponse to(int index);
  }

  @BeforeEach
  void start() throws IOException {
    answer(index -> new MockResponse.Builder().body("{}").build());
    server.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void answer(Answer answer) {
    server.setDispatcher(
        new Dispatcher() {
          @Override
          public synchronized MockResponse dispatch(RecordedRequest request) {
            arrivals.add(time.nanoTime());
            requests.add(request);
            return answer.to(requests.size() - 1);
          }
        });
  }

  private String url(String path) {
    return server.url(path).toString();
  }

  private long spanMillis() {
    return TimeUnit.NANOSECONDS.toMillis(arrivals.get(arrivals.size() - 1) - arrivals.get(0));
  }

  @Test
  void quick_start_keeps_its_limit() throws IOException {
    QuickStart.main(new String[] {url("/items")});

    assertThat(requests).hasSize(10);
    assertThat(spanMillis()).isGreaterThanOrEqualTo(400);
  }

  @Test
  void a_payment_is_sent_again_under_the_same_key() throws IOException {
    answer(index -> new MockResponse.Builder().code(index == 0 ? 503 : 200).body("{}").build());

    Payment.main(new String[] {url("/v1/charges")});

    assertThat(requests).hasSize(2);
    Set<String> keys = new HashSet<>();
    requests.forEach(request -> keys.add(request.getHeaders().get("Idempotency-Key")));
    assertThat(keys).hasSize(1).doesNotContainNull();
  }

  @Test
  void a_payment_whose_wait_does_not_fit_is_not_sent_again() throws IOException {
    answer(index -> new MockResponse.Builder().code(429).addHeader("Retry-After", "60").build());

    Payment.main(new String[] {url("/v1/charges")});

    assertThat(requests).hasSize(1);
  }

  @Test
  void a_fleet_keeps_each_owners_limit_in_redis() throws IOException {
    FleetThroughRedis.main(new String[] {RedisServer.shared().uri(), url("/orders")});

    assertThat(requests).hasSize(10);
    // Five calls of each customer at 10/s, of which two may go at once.
    assertThat(spanMillis()).isGreaterThanOrEqualTo(250);
    assertThat(RedisServer.shared().keys("pl1:{partner:*")).isNotEmpty();
  }

  @Test
  void tokens_are_settled_by_what_was_used() throws IOException {
    answer(index -> new MockResponse.Builder().body("{\"usage\":{\"total_tokens\":50}}").build());

    LanguageModelTokens.main(new String[] {url("/v1/completions")});

    assertThat(requests).hasSize(3);
  }

  @Test
  void a_spent_window_is_waited_for() throws IOException {
    long end = time.epochMicros() / 1_000_000 + 3;
    answer(
        index ->
            new MockResponse.Builder()
                .addHeader("x-ratelimit-limit", "60")
                .addHeader("x-ratelimit-remaining", Integer.toString(index < 3 ? 2 - index : 60))
                .addHeader("x-ratelimit-reset", Long.toString(index < 3 ? end : end + 3_600))
                .build());

    GitHubDiscovery.main(new String[] {url("/repos"), "secret"});

    assertThat(requests).hasSize(5);
    // The window ends two to three seconds after the first call.
    assertThat(TimeUnit.NANOSECONDS.toMillis(arrivals.get(3) - arrivals.get(0)))
        .isGreaterThanOrEqualTo(1_900);
  }
}
