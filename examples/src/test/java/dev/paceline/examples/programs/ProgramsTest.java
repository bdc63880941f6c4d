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

  /** A 429 to the first request, which asks for a second's wait; else {@code body}. */
  private void refuseFirst(String body) {
    answer(
        index ->
            index == 0
                ? new MockResponse.Builder().code(429).addHeader("Retry-After", "1").build()
                : new MockResponse.Builder()
                    .addHeader("Content-Type", "application/json")
                    .body(body)
                    .build());
  }

  /**
   * The first was told to wait a second. Nobody is sent meanwhile, once those are through who left
   * before that was read; and after it nobody comes before an interval for each before it is over,
   * however late they are.
   */
  private void assertWaitedAndPaced(int count, long intervalMillis) {
    List<Long> millis =
        arrivals.stream().map(at -> TimeUnit.NANOSECONDS.toMillis(at - arrivals.get(0))).toList();
    List<Long> resumed = millis.stream().filter(at -> at >= 990).toList();
    assertThat(millis).hasSize(count + 1).noneMatch(at -> at >= 600 && at < 990);
    assertThat(millis.size() - resumed.size())
        .isLessThanOrEqualTo((int) (1 + 600 / intervalMillis));
    assertThat(resumed.get(resumed.size() - 1))
        .isGreaterThanOrEqualTo(990 + (resumed.size() - 1) * intervalMillis);
  }

  @Test
  void retrofit_keeps_its_limit_and_waits_as_told() {
    refuseFirst("{}");

    RetrofitClient.main(new String[] {url("/")});

    assertWaitedAndPaced(10, 100);
  }

  @Test
  void slacks_client_keeps_its_limit_and_waits_as_told() throws Exception {
    refuseFirst("{\"ok\":true}");

    SlackClient.main(new String[] {url("/api/"), "xoxb-secret", "C1"});

    assertWaitedAndPaced(3, 1_000);
    assertThat(requests)
        .allSatisfy(r -> assertThat(r.getTarget()).isEqualTo("/api/chat.postMessage"));
  }

  @Test
  void githubs_client_keeps_its_limit_and_waits_as_told() throws IOException {
    refuseFirst("{\"login\":\"octocat\",\"id\":1}");

    // Another name each time: the client keeps users by name.
    String api = url("").replaceAll("/$", "");
    GitHubClient.main(new String[] {api, "a", "b", "c", "d", "e", "f", "g", "h"});

    assertWaitedAndPaced(8, 100);
  }
}
