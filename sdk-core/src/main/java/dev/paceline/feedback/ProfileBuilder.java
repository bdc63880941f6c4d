package dev.paceline.feedback;

import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Builds a {@link Profile}, field by field; the fields are described there. Not thread-safe. */
public final class ProfileBuilder {

  private String name = "custom";
  private String source = "";
  private LocalDate asOf = LocalDate.EPOCH;
  private List<String> hosts = List.of();
  private List<PublishedLimit> limits = List.of();
  private Optional<Integer> inFlight = Optional.empty();
  private List<HeaderField> headers = List.of();
  private List<HeaderSignal> signals = List.of();
  private Set<Integer> throttleStatuses = Set.of();
  private List<BodyRule> bodyRules = List.of();
  private Set<Integer> bodyStatuses = Set.of();
  private int bodyBytes = Profile.MAX_BODY_BYTES;
  private ThrottleKind throttleKind = ThrottleKind.SHORT;
  private WaitScope scope = WaitScope.RULE;
  private WaitScope scopeWhenQuotaLeft = WaitScope.RULE;
  private Optional<Duration> cooldown = Optional.empty();
  private boolean probeAfterCooldown = false;
  private boolean refusalsCount = false;
  private Optional<String> idempotencyKeyHeader = Optional.empty();
  private Set<Integer> retryWithKeyStatuses = Set.of(502, 503, 504);
  private Set<Integer> unprocessedStatuses = Set.of(429);

  ProfileBuilder() {}

  ProfileBuilder(Profile profile) {
    name = profile.name();
    source = profile.source();
    asOf = profile.asOf();
    hosts = profile.hosts();
    limits = profile.limits();
    inFlight = profile.inFlight();
    headers = profile.headers();
    signals = profile.signals();
    throttleStatuses = profile.throttleStatuses();
    bodyRules = profile.bodyRules();
    bodyStatuses = profile.bodyStatuses();
    bodyBytes = profile.bodyBytes();
    throttleKind = profile.throttleKind();
    scope = profile.scope();
    scopeWhenQuotaLeft = profile.scopeWhenQuotaLeft();
    cooldown = profile.cooldown();
    probeAfterCooldown = profile.probeAfterCooldown();
    refusalsCount = profile.refusalsCount();
    idempotencyKeyHeader = profile.idempotencyKeyHeader();
    retryWithKeyStatuses = profile.retryWithKeyStatuses();
    unprocessedStatuses = profile.unprocessedStatuses();
  }

  /** Sets {@link Profile#name}. */
  public ProfileBuilder name(String name) {
    this.name = name;
    return this;
  }

  /** Sets {@link Profile#source}. */
  public ProfileBuilder source(String source) {
    this.source = source;
    return this;
  }

  /** Sets {@link Profile#asOf}. */
  public ProfileBuilder asOf(LocalDate asOf) {
    this.asOf = asOf;
    return this;
  }

  /** Sets {@link Profile#hosts}. */
  public ProfileBuilder hosts(List<String> hosts) {
    this.hosts = hosts;
    return this;
  }

  /** Sets {@link Profile#limits}. */
  public ProfileBuilder limits(List<PublishedLimit> limits) {
    this.limits = limits;
    return this;
  }

  /** Sets {@link Profile#inFlight}. */
  public ProfileBuilder inFlight(int inFlight) {
    this.inFlight = Optional.of(inFlight);
    return this;
  }

  /** Sets {@link Profile#headers}. */
  public ProfileBuilder headers(List<HeaderField> headers) {
    this.headers = headers;
    return this;
  }

  /** Sets {@link Profile#signals}. */
  public ProfileBuilder signals(List<HeaderSignal> signals) {
    this.signals = signals;
    return this;
  }

  /** Sets {@link Profile#throttleStatuses}. */
  public ProfileBuilder throttleStatuses(Set<Integer> throttleStatuses) {
    this.throttleStatuses = throttleStatuses;
    return this;
  }

  /** Sets {@link Profile#bodyRules}. */
  public ProfileBuilder bodyRules(List<BodyRule> bodyRules) {
    this.bodyRules = bodyRules;
    return this;
  }

  /** Sets {@link Profile#bodyStatuses}. */
  public ProfileBuilder bodyStatuses(Set<Integer> bodyStatuses) {
    this.bodyStatuses = bodyStatuses;
    return this;
  }

  /** Sets {@link Profile#bodyBytes}. */
  public ProfileBuilder bodyBytes(int bodyBytes) {
    this.bodyBytes = bodyBytes;
    return this;
  }

  /** Sets {@link Profile#throttleKind}. */
  public ProfileBuilder throttleKind(ThrottleKind throttleKind) {
    this.throttleKind = throttleKind;
    return this;
  }

  /** Sets {@link Profile#scope}. */
  public ProfileBuilder scope(WaitScope scope) {
    this.scope = scope;
    return this;
  }

  /** Sets {@link Profile#scopeWhenQuotaLeft}. */
  public ProfileBuilder scopeWhenQuotaLeft(WaitScope scopeWhenQuotaLeft) {
    this.scopeWhenQuotaLeft = scopeWhenQuotaLeft;
    return this;
  }

  /** Sets {@link Profile#cooldown}. */
  public ProfileBuilder cooldown(Duration cooldown) {
    this.cooldown = Optional.of(cooldown);
    return this;
  }

  /** Sets {@link Profile#probeAfterCooldown}. */
  public ProfileBuilder probeAfterCooldown(boolean probeAfterCooldown) {
    this.probeAfterCooldown = probeAfterCooldown;
    return this;
  }

  /** Sets {@link Profile#refusalsCount}. */
  public ProfileBuilder refusalsCount(boolean refusalsCount) {
    this.refusalsCount = refusalsCount;
    return this;
  }

  /** Sets {@link Profile#idempotencyKeyHeader}. */
  public ProfileBuilder idempotencyKeyHeader(String idempotencyKeyHeader) {
    this.idempotencyKeyHeader = Optional.of(idempotencyKeyHeader);
    return this;
  }

  /** Sets {@link Profile#retryWithKeyStatuses}. */
  public ProfileBuilder retryWithKeyStatuses(Set<Integer> retryWithKeyStatuses) {
    this.retryWithKeyStatuses = retryWithKeyStatuses;
    return this;
  }

  /** Sets {@link Profile#unprocessedStatuses}. */
  public ProfileBuilder unprocessedStatuses(Set<Integer> unprocessedStatuses) {
    this.unprocessedStatuses = unprocessedStatuses;
    return this;
  }

  /** Returns the profile. */
  public Profile build() {
    return new Profile(
        name,
        source,
        asOf,
        hosts,
        limits,
        inFlight,
        headers,
        signals,
        throttleStatuses,
        bodyRules,
        bodyStatuses,
        bodyBytes,
        throttleKind,
        scope,
        scopeWhenQuotaLeft,
        cooldown,
        probeAfterCooldown,
        refusalsCount,
        idempotencyKeyHeader,
        retryWithKeyStatuses,
        unprocessedStatuses);
  }
}
