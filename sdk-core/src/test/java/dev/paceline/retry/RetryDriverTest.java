package dev.paceline.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paceline.testkit.VirtualTime;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryDriverTest {
  private static final long SECOND = 1_000_000_000;
  private static final RequestTraits GET = RequestTraits.of("GET");
  private static final RequestTraits KEYED = RequestTraits.of("POST").withIdempotencyKey();

  enum Path {
    BLOCKING,
    ASYNC
  }

  private final VirtualTime time = VirtualTime.autoAdvancing();
  private final RetryDriver driver = new RetryDriver(time::nanoTime);

  /** A server of one scripted outcome an attempt, behind a permit that is always free. */
  private final class Server implements Attempt.Blocking<String> {
    final IntFunction<Outcome> script;
    final List<Long> sentAt = new ArrayList<>();
    final List<String> discarded = new ArrayList<>();
    final List<Integer> depths = new ArrayList<>();
    IOException refusalOfSecondPermit;

    Server(IntFunction<Outcome> script) {
      this.script = script;
    }

    Server(Outcome... outcomes) {
      this(number -> outcomes[Math.min(number, outcomes.length) - 1]);
    }

    @Override
    public void discard(String response) {
      discarded.add(response);
    }

    @Override
    public Attempted<String> send(int number, long notBefore) throws IOException {
      permit(number);
      while (notBefore - time.nanoTime() > 0) {
        time.park(this, notBefore - time.nanoTime());
      }
      return answer(number);
    }

    void permit(int number) throws IOException {
      if (number == 2 && refusalOfSecondPermit != null) {
        throw refusalOfSecondPermit;
      }
    }

    Attempted<String> answer(int number) {
      sentAt.add(time.elapsed().toNanos());
      if (number % 1_000 == 2) {
        depths.add(Thread.currentThread().getStackTrace().length);
      }
      Outcome outcome = script.apply(number);
      if (outcome instanceof Outcome.Responded responded) {
        return new Attempted.Response<>("#" + number, responded);
      }
      return new Attempted.Failure<>((Outcome.Failed) outcome);
    }
  }

  /** The same server, answering when a timer says so. */
  private Attempt.Async<String> timed(Server server) {
    return new Attempt.Async<>() {
      @Override
      public CompletionStage<Attempted<String>> send(int number, long notBefore) {
        try {
          server.permit(number);
        } catch (IOException e) {
          return CompletableFuture.failedFuture(e);
        }
        CompletableFuture<Attempted<String>> answer = new CompletableFuture<>();
        time.schedule(() -> answer.complete(server.answer(number)), notBefore - time.nanoTime());
        return answer;
      }

      @Override
      public void discard(String response) {
        server.discard(response);
      }
    };
  }

  private RetrySession session(RequestTraits traits, RetryPolicy.Builder builder) {
    RetryPolicy policy = builder.build();
    return new UpstreamRetries(
            policy, RetryRules.standard(), policy.newBudget(time::nanoTime), Optional.empty())
        .begin(traits);
  }

  private String run(Path path, RetrySession session, Server server, long deadline)
      throws IOException {
    if (path == Path.BLOCKING) {
      return driver.call(session, server, deadline);
    }
    CompletableFuture<String> result = driver.callAsync(session, timed(server), deadline);
    runTimersUntil(result);
    try {
      return result.join();
    } catch (CompletionException e) {
      throw (IOException) e.getCause();
    }
  }

  private void runTimersUntil(CompletableFuture<?> result) {
    while (!result.isDone()) {
      assertThat(time.nextTimer()).as("a timer that goes on").isLessThan(Duration.ofDays(9_999));
      time.advance(time.nextTimer().minus(time.elapsed()));
    }
  }

  private String run(Path path, RetrySession session, Server server) throws IOException {
    return run(path, session, server, RetrySession.NO_DEADLINE);
  }

  @ParameterizedTest
  @EnumSource
  void a_success_is_one_attempt(Path path) throws IOException {
    Server server = new Server(Outcomes.silent(200));
    RetrySession session = session(GET, RetryPolicy.builder());
    assertThat(run(path, session, server)).isEqualTo("#1");
    assertThat(server.sentAt).containsExactly(0L);
    assertThat(server.discarded).isEmpty();
    assertThat(session.report().why()).isEqualTo(StopReason.SUCCESS);
  }

  /** BJ-05. */
  @ParameterizedTest
  @EnumSource
  void gaps_between_attempts_are_kept_on_both_paths(Path path) throws IOException {
    Server server = new Server(Outcomes.silent(503), Outcomes.silent(503), Outcomes.silent(200));
    RetryPolicy.Builder fixed =
        RetryPolicy.builder()
            .fullJitter(Duration.ofMillis(100), Duration.ofMillis(100))
            .minDelay(Duration.ofMillis(100));
    assertThat(run(path, session(GET, fixed), server)).isEqualTo("#3");
    assertThat(server.sentAt).containsExactly(0L, 100_000_000L, 200_000_000L);
    assertThat(server.discarded).containsExactly("#1", "#2");
  }

  @ParameterizedTest
  @EnumSource
  void the_last_response_reaches_the_caller_untouched(Path path) throws IOException {
    Server server = new Server(Outcomes.silent(503));
    RetrySession session = session(GET, RetryPolicy.builder().maxAttempts(3));
    assertThat(run(path, session, server)).isEqualTo("#3");
    assertThat(server.discarded).containsExactly("#1", "#2");
    assertThat(session.report().why()).isEqualTo(StopReason.ATTEMPTS);
  }

  /** DW-02. */
  @ParameterizedTest
  @EnumSource
  void a_post_that_timed_out_is_sent_once(Path path) {
    SocketTimeoutException timeout = new SocketTimeoutException("timeout");
    Server server = new Server(Outcomes.lost(timeout));
    RetrySession session = session(RequestTraits.of("POST"), RetryPolicy.builder());
    assertThatThrownBy(() -> run(path, session, server))
        .isSameAs(timeout)
        .satisfies(
            e ->
                assertThat(e.getSuppressed()[0])
                    .isInstanceOf(RetryStoppedException.class)
                    .hasMessageContaining("not idempotent"));
    assertThat(server.sentAt).hasSize(1);
  }

  /** RC-08. */
  @ParameterizedTest
  @EnumSource
  void a_keyed_post_goes_on_through_a_loss_and_its_own_conflict(Path path) throws IOException {
    Server server =
        new Server(
            Outcomes.lost(new SocketTimeoutException("timeout")),
            Outcomes.conflict(true),
            Outcomes.silent(200));
    assertThat(run(path, session(KEYED, RetryPolicy.builder()), server)).isEqualTo("#3");
    assertThat(server.discarded).containsExactly("#2");
  }

  @ParameterizedTest
  @EnumSource
  void exhausted_attempts_name_themselves_and_keep_the_cause(Path path) {
    ConnectException refused = new ConnectException("refused");
    Server server = new Server(Outcomes.unconnected(refused));
    RetrySession session = session(KEYED, RetryPolicy.builder().maxAttempts(2));
    assertThatThrownBy(() -> run(path, session, server))
        .isInstanceOf(RetryStoppedException.class)
        .hasMessageContaining("attempts exhausted")
        .hasCause(refused);
    assertThat(server.sentAt).hasSize(2);
  }

  /** BU-07. */
  @ParameterizedTest
  @EnumSource
  void a_spent_budget_names_itself_and_keeps_the_cause(Path path) {
    Server server = new Server(Outcomes.unconnected(new ConnectException("refused")));
    RetrySession session = session(GET, RetryPolicy.builder().maxAttempts(20).floorPerSecond(0));
    assertThatThrownBy(() -> run(path, session, server))
        .isInstanceOf(RetryStoppedException.class)
        .hasMessageContaining("retry budget")
        .hasCauseInstanceOf(ConnectException.class);
    assertThat(server.sentAt).hasSize(11);
  }

  @ParameterizedTest
  @EnumSource
  void without_retries_a_failure_stays_what_it_is(Path path) {
    ConnectException refused = new ConnectException("refused");
    Server server = new Server(Outcomes.unconnected(refused));
    RetrySession session = session(GET, RetryPolicy.builder().maxAttempts(1));
    assertThatThrownBy(() -> run(path, session, server)).isSameAs(refused);
  }

  /** WB-05. */
  @ParameterizedTest
  @EnumSource
  void no_attempt_starts_after_the_deadline(Path path) throws IOException {
    Server server = new Server(number -> Outcomes.toldToWait(429, Duration.ofSeconds(4)));
    RetrySession session = session(GET, RetryPolicy.builder().maxAttempts(9));
    run(path, session, server, 10 * SECOND);
    assertThat(session.report().why()).isEqualTo(StopReason.DEADLINE);
    assertThat(server.sentAt).hasSize(3).allMatch(at -> at <= 10 * SECOND);
    assertThat(server.sentAt.get(1)).isGreaterThanOrEqualTo(4 * SECOND);
  }

  @ParameterizedTest
  @EnumSource
  void a_refused_permit_ends_the_call_and_keeps_the_failure_before(Path path) {
    ConnectException refused = new ConnectException("refused");
    Server server = new Server(Outcomes.unconnected(refused));
    server.refusalOfSecondPermit = new IOException("queue full");
    RetrySession session = session(GET, RetryPolicy.builder());
    assertThatThrownBy(() -> run(path, session, server))
        .isSameAs(server.refusalOfSecondPermit)
        .hasSuppressedException(refused);
    assertThat(session.report().why()).isEqualTo(StopReason.NOT_PERMITTED);
    assertThat(server.sentAt).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void a_cancelled_wait_ends_the_call(Path path) {
    Server server = new Server(Outcomes.silent(503));
    server.refusalOfSecondPermit = new InterruptedIOException("cancelled");
    RetrySession session = session(GET, RetryPolicy.builder());
    assertThatThrownBy(() -> run(path, session, server)).isSameAs(server.refusalOfSecondPermit);
    assertThat(session.report().why()).isEqualTo(StopReason.CANCELLED);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void an_interrupt_before_a_retry_ends_the_call_and_stays_set(int attempt) {
    Server server =
        new Server(
            number -> {
              if (number == attempt) {
                Thread.currentThread().interrupt();
              }
              return Outcomes.silent(503);
            });
    RetrySession session = session(GET, RetryPolicy.builder());
    assertThatThrownBy(() -> run(Path.BLOCKING, session, server))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(server.sentAt).hasSize(attempt);
    assertThat(session.report().why()).isEqualTo(StopReason.CANCELLED);
  }

  /** TH-04; both with answers from a timer and with answers that are there already. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ten_thousand_attempts_do_not_deepen_the_stack(boolean timed) {
    Server server = new Server(number -> Outcomes.toldToWait(429, Duration.ofSeconds(1)));
    RetrySession session = session(GET, RetryPolicy.builder().maxAttempts(10_000).withoutBudget());
    Attempt.Async<String> immediate =
        new Attempt.Async<>() {
          @Override
          public CompletionStage<Attempted<String>> send(int number, long notBefore) {
            time.park(this, notBefore - time.nanoTime());
            return CompletableFuture.completedFuture(server.answer(number));
          }

          @Override
          public void discard(String response) {
            server.discard(response);
          }
        };
    CompletableFuture<String> result =
        driver.callAsync(session, timed ? timed(server) : immediate, RetrySession.NO_DEADLINE);
    runTimersUntil(result);
    assertThat(result.join()).isEqualTo("#10000");
    assertThat(server.depths).hasSize(10);
    assertThat(server.depths).allMatch(depth -> depth.equals(server.depths.get(1)));
    for (int i = 1; i < server.sentAt.size(); i++) {
      assertThat(server.sentAt.get(i) - server.sentAt.get(i - 1)).isGreaterThanOrEqualTo(SECOND);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_unchecked_exception_of_an_attempt_passes_through(Path path) {
    IllegalStateException bug = new IllegalStateException("bug");
    Server server =
        new Server(
            number -> {
              throw bug;
            });
    RetrySession session = session(GET, RetryPolicy.builder());
    if (path == Path.BLOCKING) {
      assertThatThrownBy(() -> run(path, session, server)).isSameAs(bug);
    } else {
      Attempt.Async<String> failing =
          new Attempt.Async<>() {
            @Override
            public CompletionStage<Attempted<String>> send(int number, long notBefore) {
              return CompletableFuture.completedFuture(server.answer(number));
            }

            @Override
            public void discard(String response) {}
          };
      CompletableFuture<String> result =
          driver.callAsync(session, failing, RetrySession.NO_DEADLINE);
      assertThatThrownBy(result::join).hasCause(bug);
    }
  }
}
