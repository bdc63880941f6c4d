package dev.paceline.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.feedback.Profile;
import dev.paceline.feedback.ThrottleKind;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.UnknownServiceException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryRulesTest {
  private static final RequestTraits GET = RequestTraits.of("GET");
  private static final RequestTraits POST = RequestTraits.of("POST");
  private static final RequestTraits KEYED = POST.withIdempotencyKey();

  private final RetryRules rules = RetryRules.standard();

  private String judge(Outcome outcome, RequestTraits traits) {
    return rules.stop(outcome, traits).map(Enum::name).orElse("RETRY");
  }

  /** Statuses that say nothing else; GET, POST, POST with a key, and a GET-like one-shot body. */
  @ParameterizedTest
  @CsvSource({
    "200, SUCCESS,       SUCCESS,        SUCCESS,       SUCCESS",
    "204, SUCCESS,       SUCCESS,        SUCCESS,       SUCCESS",
    "302, SUCCESS,       SUCCESS,        SUCCESS,       SUCCESS",
    "400, NOT_RETRYABLE, NOT_RETRYABLE,  NOT_RETRYABLE, NOT_RETRYABLE",
    "401, NOT_RETRYABLE, NOT_RETRYABLE,  NOT_RETRYABLE, NOT_RETRYABLE",
    "403, NOT_RETRYABLE, NOT_RETRYABLE,  NOT_RETRYABLE, NOT_RETRYABLE",
    "404, NOT_RETRYABLE, NOT_RETRYABLE,  NOT_RETRYABLE, NOT_RETRYABLE",
    "408, RETRY,         NOT_IDEMPOTENT, RETRY,         BODY_NOT_REPLAYABLE",
    "409, NOT_RETRYABLE, NOT_RETRYABLE,  NOT_RETRYABLE, NOT_RETRYABLE",
    "413, NOT_RETRYABLE, NOT_RETRYABLE,  NOT_RETRYABLE, NOT_RETRYABLE",
    "421, NOT_RETRYABLE, NOT_RETRYABLE,  NOT_RETRYABLE, NOT_RETRYABLE",
    "425, RETRY,         RETRY,          RETRY,         BODY_NOT_REPLAYABLE",
    "429, RETRY,         RETRY,          RETRY,         BODY_NOT_REPLAYABLE",
    "500, RETRY,         NOT_IDEMPOTENT, NOT_RETRYABLE, BODY_NOT_REPLAYABLE",
    "501, NOT_RETRYABLE, NOT_RETRYABLE,  NOT_RETRYABLE, NOT_RETRYABLE",
    "502, RETRY,         NOT_IDEMPOTENT, RETRY,         BODY_NOT_REPLAYABLE",
    "503, RETRY,         NOT_IDEMPOTENT, RETRY,         BODY_NOT_REPLAYABLE",
    "504, RETRY,         NOT_IDEMPOTENT, RETRY,         BODY_NOT_REPLAYABLE",
    "505, NOT_RETRYABLE, NOT_RETRYABLE,  NOT_RETRYABLE, NOT_RETRYABLE",
    "529, RETRY,         NOT_IDEMPOTENT, NOT_RETRYABLE, BODY_NOT_REPLAYABLE",
    "599, RETRY,         NOT_IDEMPOTENT, NOT_RETRYABLE, BODY_NOT_REPLAYABLE",
    "600, NOT_RETRYABLE, NOT_RETRYABLE,  NOT_RETRYABLE, NOT_RETRYABLE",
  })
  void statuses(int status, String get, String post, String keyed, String oneShotPut) {
    Outcome outcome =
        status == 429 ? Outcomes.throttled(429, Optional.empty()) : Outcomes.silent(status);
    assertThat(judge(outcome, GET)).isEqualTo(get);
    assertThat(judge(outcome, POST)).isEqualTo(post);
    assertThat(judge(outcome, KEYED)).isEqualTo(keyed);
    assertThat(judge(outcome, RequestTraits.of("PUT").withOneShotBody())).isEqualTo(oneShotPut);
  }

  @ParameterizedTest
  @CsvSource({
    "GET,RETRY",
    "HEAD,RETRY",
    "OPTIONS,RETRY",
    "PUT,RETRY",
    "DELETE,RETRY",
    "QUERY,RETRY",
    "PROPFIND,RETRY",
    "POST,NOT_IDEMPOTENT",
    "PATCH,NOT_IDEMPOTENT",
    "get,NOT_IDEMPOTENT",
    "LOCK,NOT_IDEMPOTENT"
  })
  void methods(String method, String expected) {
    assertThat(judge(Outcomes.silent(502), RequestTraits.of(method))).isEqualTo(expected);
  }

  @Test
  void a_caller_may_declare_a_post_idempotent() {
    RequestTraits declared = POST.declaredIdempotentByCaller();
    assertThat(judge(Outcomes.silent(500), declared)).isEqualTo("RETRY");
    assertThat(judge(Outcomes.lost(new SocketException("reset")), declared)).isEqualTo("RETRY");
  }

  /** RC-10. */
  @ParameterizedTest
  @ValueSource(ints = {413, 429, 503})
  void a_wait_makes_it_unprocessed_for_any_method(int status) {
    Outcome told = Outcomes.toldToWait(status, Duration.ofSeconds(1));
    assertThat(judge(told, POST)).isEqualTo("RETRY");
    assertThat(rules.providerWait(told)).contains(Duration.ofSeconds(1));
  }

  @Test
  void a_wait_of_zero_is_no_hint() {
    Outcome zero = Outcomes.throttled(503, Optional.of(Duration.ZERO));
    assertThat(rules.providerWait(zero)).isEmpty();
    assertThat(judge(zero, POST)).isEqualTo("NOT_IDEMPOTENT");
    assertThat(judge(zero, KEYED)).isEqualTo("RETRY");
    assertThat(judge(zero, GET)).isEqualTo("RETRY");
    assertThat(judge(Outcomes.throttled(403, Optional.of(Duration.ZERO)), GET))
        .isEqualTo("NOT_RETRYABLE");
    assertThat(judge(Outcomes.throttled(429, Optional.of(Duration.ZERO)), POST)).isEqualTo("RETRY");
  }

  /** RC-01, RC-04, RC-07: whatever the status, what was refused because of a limit goes again. */
  @ParameterizedTest
  @ValueSource(ints = {200, 400, 403, 418, 529})
  void a_throttle_is_retried_whatever_its_status(int status) {
    Outcome throttled = Outcomes.throttled(status, Optional.of(Duration.ofSeconds(60)));
    assertThat(judge(throttled, POST)).isEqualTo("RETRY");
    assertThat(rules.providerWait(throttled)).contains(Duration.ofSeconds(60));
  }

  /** RC-05, RC-11. */
  @Test
  void spent_quotas_and_forbidden_retries_end_it() {
    assertThat(judge(Outcomes.throttled(403, ThrottleKind.QUOTA_EXHAUSTED), GET))
        .isEqualTo("QUOTA_EXHAUSTED");
    assertThat(judge(Outcomes.forbidden(429), GET)).isEqualTo("RETRY_FORBIDDEN");
    assertThat(judge(Outcomes.forbidden(503), GET)).isEqualTo("RETRY_FORBIDDEN");
    assertThat(judge(Outcomes.throttled(429, ThrottleKind.CONCURRENCY), POST)).isEqualTo("RETRY");
  }

  /** RC-08. */
  @Test
  void a_conflict_with_the_own_earlier_attempt_is_retried() {
    assertThat(judge(Outcomes.conflict(true), KEYED)).isEqualTo("RETRY");
    assertThat(judge(Outcomes.conflict(true), POST)).isEqualTo("NOT_RETRYABLE");
    assertThat(judge(Outcomes.conflict(false), KEYED)).isEqualTo("NOT_RETRYABLE");
  }

  @Test
  void a_connection_lost_after_sending_needs_an_idempotent_request() {
    for (IOException cause :
        new IOException[] {
          new SocketException("reset"),
          new SocketTimeoutException("timeout"),
          new IOException("unexpected end of stream"),
        }) {
      assertThat(judge(Outcomes.lost(cause), GET)).isEqualTo("RETRY");
      assertThat(judge(Outcomes.lost(cause), POST)).isEqualTo("NOT_IDEMPOTENT");
      assertThat(judge(Outcomes.lost(cause), KEYED)).isEqualTo("RETRY");
      assertThat(judge(Outcomes.lost(cause), GET.withOneShotBody()))
          .isEqualTo("BODY_NOT_REPLAYABLE");
    }
  }

  @Test
  void what_was_never_sent_goes_again_whatever_it_is() {
    RequestTraits worst = POST.withOneShotBody();
    assertThat(judge(Outcomes.unconnected(new ConnectException("refused")), worst))
        .isEqualTo("RETRY");
    assertThat(judge(Outcomes.unconnected(new UnknownHostException("x")), worst))
        .isEqualTo("RETRY");
    assertThat(judge(Outcomes.unconnected(new SocketTimeoutException("connect")), worst))
        .isEqualTo("RETRY");
    assertThat(judge(Outcomes.unconnected(new SSLHandshakeException("closed")), worst))
        .isEqualTo("RETRY");
    assertThat(judge(new Outcome.Failed(new SocketException("stale"), false, false), worst))
        .isEqualTo("RETRY");
  }

  @Test
  void a_lasting_failure_is_not_repeated() {
    SSLHandshakeException untrusted = new SSLHandshakeException("PKIX path building failed");
    untrusted.initCause(new RuntimeException(new CertificateException("expired")));
    for (IOException cause :
        new IOException[] {
          untrusted,
          new SSLPeerUnverifiedException("hostname"),
          new ProtocolException("too many follow-ups"),
          new UnknownServiceException("cleartext"),
          new FileNotFoundException("body"),
        }) {
      assertThat(judge(Outcomes.unconnected(cause), GET)).isEqualTo("NOT_RETRYABLE");
      assertThat(judge(Outcomes.lost(cause), GET)).isEqualTo("NOT_RETRYABLE");
    }
  }

  @Test
  void causes_in_a_circle_end_the_search() {
    SSLHandshakeException circle = new SSLHandshakeException("a");
    RuntimeException other = new RuntimeException(circle);
    circle.initCause(other);
    assertThat(judge(Outcomes.unconnected(circle), GET)).isEqualTo("RETRY");
  }

  /** LA-07. */
  @Test
  void an_exception_that_an_interceptor_throws_is_not_repeated() {
    assertThat(judge(new Outcome.Failed(new IOException("throttled"), false, false), GET))
        .isEqualTo("NOT_RETRYABLE");
  }

  @Test
  void what_the_caller_ended_stays_ended() {
    InterruptedIOException timeout = new InterruptedIOException("timeout");
    assertThat(judge(Outcomes.lost(timeout), GET)).isEqualTo("CANCELLED");
    assertThat(judge(Outcomes.unconnected(timeout), GET)).isEqualTo("CANCELLED");
  }

  @Test
  void a_hook_widens_and_narrows_but_does_not_make_a_post_safe() {
    Outcome teapot = Outcomes.silent(418);
    assertThat(rules.stop(teapot, GET, RetryHook.Opinion.RETRY)).isEmpty();
    assertThat(rules.stop(teapot, POST, RetryHook.Opinion.RETRY))
        .contains(StopReason.NOT_IDEMPOTENT);
    assertThat(rules.stop(teapot, KEYED, RetryHook.Opinion.RETRY)).isEmpty();
    assertThat(rules.stop(Outcomes.silent(202), GET, RetryHook.Opinion.RETRY)).isEmpty();
    assertThat(rules.stop(Outcomes.silent(503), GET, RetryHook.Opinion.STOP))
        .contains(StopReason.NOT_RETRYABLE);
    assertThat(rules.stop(Outcomes.silent(200), GET, RetryHook.Opinion.STOP))
        .contains(StopReason.SUCCESS);
    assertThat(
            rules.stop(
                Outcomes.throttled(429, ThrottleKind.QUOTA_EXHAUSTED),
                GET,
                RetryHook.Opinion.RETRY))
        .contains(StopReason.QUOTA_EXHAUSTED);
  }

  @Test
  void a_profile_refines_the_standard() {
    RetryRules refined =
        RetryRules.of(
            Profile.builder("bank")
                .retryWithKeyStatuses(Set.of(500, 599))
                .unprocessedStatuses(Set.of(460))
                .build());
    assertThat(refined.stop(Outcomes.silent(500), KEYED)).isEmpty();
    assertThat(refined.stop(Outcomes.silent(502), KEYED)).contains(StopReason.NOT_RETRYABLE);
    assertThat(refined.stop(Outcomes.silent(408), KEYED)).isEmpty();
    assertThat(refined.stop(Outcomes.silent(460), POST)).isEmpty();
    assertThat(refined.stop(Outcomes.silent(429), POST)).isEmpty();
  }

  @Test
  void predicates_make_a_hook() {
    RetryHook hook =
        RetryHook.of(
            (status, error) -> status.orElse(0) == 418 || error.isPresent(),
            (status, error) -> error.filter(SocketException.class::isInstance).isPresent());
    assertThat(hook.opinion(Outcomes.silent(418), GET)).isEqualTo(RetryHook.Opinion.RETRY);
    assertThat(hook.opinion(Outcomes.silent(200), GET)).isEqualTo(RetryHook.Opinion.NONE);
    assertThat(hook.opinion(Outcomes.lost(new SocketException()), GET))
        .isEqualTo(RetryHook.Opinion.STOP);
    assertThat(hook.opinion(Outcomes.lost(new IOException()), GET))
        .isEqualTo(RetryHook.Opinion.RETRY);
  }
}
