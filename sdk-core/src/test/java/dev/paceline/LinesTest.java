package dev.paceline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paceline.feedback.HeaderLines;
import dev.paceline.feedback.ResponseFacts;
import dev.paceline.limit.Limit;
import dev.paceline.retry.RetryReport;
import dev.paceline.retry.StopReason;
import dev.paceline.testkit.VirtualTime;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is logged, as it comes out of the simple logger that the tests run with. */
final class LinesTest {

  private final VirtualTime time = VirtualTime.create();
  private final PrintStream before = System.err;
  private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
  private final Paceline paceline =
      Paceline.builder()
          .time(time)
          .executor(Runnable::run)
          .upstream(
              "api",
              u -> u.hosts("api.test").limit(Limit.of(1).per(Duration.ofMinutes(1))).maxQueued(1))
          .upstream("free", u -> u.hosts("free.test").learnLimits(true))
          .build();

  @BeforeEach
  void listen() {
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void restore() {
    System.setErr(before);
  }

  private List<String> lines() {
    List<String> lines = logged.toString(StandardCharsets.UTF_8).lines().toList();
    logged.reset();
    return lines;
  }

  private Upstream upstream(String name) {
    return paceline.upstreamOf(name + ".test").orElseThrow();
  }

  private void refuse(int count) throws Exception {
    AcquireOptions now = AcquireOptions.standard().maxWait(Duration.ZERO);
    for (int i = 0; i < count; i++) {
      assertThatThrownBy(() -> paceline.limiter("api").acquire(now))
          .isInstanceOf(WaitTooLongException.class);
    }
  }

  @Test
  void refusals_are_logged_once_in_ten_seconds_with_what_to_do_and_how_many_there_were()
      throws Exception {
    paceline.limiter("api").acquire();
    refuse(1_000);
    assertThat(lines())
        .singleElement()
        .asString()
        .contains("WARN", "api/*/*", "the call can wait", "call less often");

    time.advance(Duration.ofSeconds(11));
    refuse(5);
    assertThat(lines()).singleElement().asString().contains("and 999 like it before");
  }

  @Test
  void each_reason_has_a_line_of_its_own() throws Exception {
    paceline.limiter("api").acquire();
    refuse(1);
    Scope scope = upstream("api").scopeOf(Optional.empty());
    AcquireOptions patient = AcquireOptions.standard().maxWait(Duration.ofHours(1));
    Acquisition waiting = scope.acquire(patient);
    Acquisition tooMany = scope.acquire(patient);
    assertThatThrownBy(tooMany::permit).isInstanceOf(QueueFullException.class);
    assertThat(lines()).hasSize(2).last().asString().contains("raise maxQueued");

    waiting.cancel();
    assertThatThrownBy(waiting::permit).isInstanceOf(WaitCancelledException.class);
    assertThat(lines()).as("what the application itself ended").isEmpty();
  }

  @Test
  void an_exhausted_retry_budget_is_logged_once_and_not_for_each_call() {
    RetryReport report =
        new RetryReport(2, StopReason.BUDGET, Optional.empty(), "retry budget exhausted");
    for (int i = 0; i < 100; i++) {
      upstream("api").journal().ended(report);
    }
    assertThat(lines()).singleElement().asString().contains("WARN", "api", "retry budget");
  }

  @Test
  void a_cooldown_and_a_learned_limit_are_logged_once_and_not_for_each_refusal() throws Exception {
    Upstream free = upstream("free");
    Scope scope = free.scopeOf(Optional.empty());
    for (int i = 0; i < 50; i++) {
      Permit permit = scope.acquire(AcquireOptions.standard()).permit();
      permit.sent();
      time.advance(Duration.ofMillis(10));
      answer(free, permit, 200);
    }
    Permit permit = scope.acquire(AcquireOptions.standard()).permit();
    for (int i = 0; i < 50; i++) {
      answer(free, permit, 429, "Retry-After", "1");
      time.advance(Duration.ofMillis(10));
    }
    List<String> lines = lines();
    assertThat(lines).filteredOn(l -> l.contains("the provider asks to wait 1.000 s")).hasSize(1);
    assertThat(lines).filteredOn(l -> l.contains("learned a limit of")).hasSize(1);
    assertThat(lines).allMatch(line -> line.contains("INFO")).hasSize(2);
  }

  private void answer(Upstream to, Permit permit, int code, String... headers) {
    Instant now = Instant.EPOCH.plusNanos(time.epochMicros() * 1_000);
    ResponseFacts facts = ResponseFacts.of(code, HeaderLines.of(headers), now);
    to.learn(permit.scope(), permit, to.reader().read(facts));
  }
}
