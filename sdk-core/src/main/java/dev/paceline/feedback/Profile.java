package dev.paceline.feedback;

import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is known of a provider, as data: its limits, its dialect, how it refuses, and what may be
 * sent again. Immutable; each field can be overridden:
 *
 * <pre>{@code
 * Profile mine = Profiles.stripe().toBuilder().limits(List.of(...)).build();
 * }</pre>
 *
 * @param name the name under which {@link Profiles#byName} finds it
 * @param source the address of the provider's documentation that the data was taken from
 * @param asOf the day as of which the data is given
 * @param hosts the provider's host names; a leading {@code *.} stands for any subdomain
 * @param limits the published limits
 * @param inFlight the most requests that may be in flight at once
 * @param headers header rows beside, or instead of those of the same name in, the standard dialect
 * @param signals header values that mean something, beside the standard ones
 * @param throttleStatuses statuses that mean a throttle, beside 429, 503 with a wait, and 403 with
 *     a wait or a spent quota
 * @param bodyRules what to look for in bodies
 * @param bodyStatuses the statuses whose body is read for the rules
 * @param bodyBytes how much of a body is read, at most {@value #MAX_BODY_BYTES}
 * @param throttleKind why the provider refuses where the response does not tell
 * @param scope which calls a refusal holds where the response does not tell
 * @param scopeWhenQuotaLeft the same where the response says that the quota is not spent, so that
 *     another limit refused
 * @param cooldown the wait after a refusal that tells none; empty: the SDK's own back-off
 * @param probeAfterCooldown whether one request is tried before the rest after a cooldown, as the
 *     provider punishes impatience
 * @param refusalsCount whether refused requests use quota too
 * @param idempotencyKeyHeader the header that carries an idempotency key
 * @param retryWithKeyStatuses statuses on which a request that is not idempotent, but has a key,
 *     may be sent again
 * @param unprocessedStatuses statuses that prove that the request was not processed, so that any
 *     method may be sent again
 */
public record Profile(
    String name,
    String source,
    LocalDate asOf,
    List<String> hosts,
    List<PublishedLimit> limits,
    Optional<Integer> inFlight,
    List<HeaderField> headers,
    List<HeaderSignal> signals,
    Set<Integer> throttleStatuses,
    List<BodyRule> bodyRules,
    Set<Integer> bodyStatuses,
    int bodyBytes,
    ThrottleKind throttleKind,
    WaitScope scope,
    WaitScope scopeWhenQuotaLeft,
    Optional<Duration> cooldown,
    boolean probeAfterCooldown,
    boolean refusalsCount,
    Optional<String> idempotencyKeyHeader,
    Set<Integer> retryWithKeyStatuses,
    Set<Integer> unprocessedStatuses) {

  /** The most that is ever read of a body, in bytes. */
  public static final int MAX_BODY_BYTES = 65_536;

  /** Copies the collections and checks {@code bodyBytes}. */
  public Profile {
    hosts = List.copyOf(hosts);
    limits = List.copyOf(limits);
    headers = List.copyOf(headers);
    signals = List.copyOf(signals);
    throttleStatuses = Set.copyOf(throttleStatuses);
    bodyRules = List.copyOf(bodyRules);
    bodyStatuses = Set.copyOf(bodyStatuses);
    retryWithKeyStatuses = Set.copyOf(retryWithKeyStatuses);
    unprocessedStatuses = Set.copyOf(unprocessedStatuses);
    if (bodyBytes < 0 || bodyBytes > MAX_BODY_BYTES) {
      throw new IllegalArgumentException(
          "bodyBytes is " + bodyBytes + "; it must be from 0 to " + MAX_BODY_BYTES);
    }
  }

  /** Returns whether the body of a response with {@code status} is to be read. */
  public boolean readsBody(int status) {
    return bodyBytes > 0 && bodyStatuses.contains(status);
  }

  /** Returns whether {@code host} is one of the provider's, without regard to case. */
  public boolean servesHost(String host) {
    for (String pattern : hosts) {
      if (pattern.startsWith("*.")) {
        int tail = host.length() - (pattern.length() - 1);
        if (tail > 0 && host.regionMatches(true, tail, pattern, 1, pattern.length() - 1)) {
          return true;
        }
      } else if (pattern.equalsIgnoreCase(host)) {
        return true;
      }
    }
    return false;
  }

  /** Returns a builder of a profile that knows nothing but the standards. */
  public static ProfileBuilder builder(String name) {
    return new ProfileBuilder().name(name);
  }

  /** Returns a builder that holds this profile's data. */
  public ProfileBuilder toBuilder() {
    return new ProfileBuilder(this);
  }
}
