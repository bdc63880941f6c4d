package dev.paceline;

import dev.paceline.feedback.Profile;
import dev.paceline.limit.Limit;
import dev.paceline.retry.IdempotencyKeys;
import dev.paceline.retry.RetryPolicy;
import dev.paceline.retry.UpstreamBreaker;
import dev.paceline.rule.RequestView;
import dev.paceline.rule.RoutePattern;
import dev.paceline.rule.Rule;
import dev.paceline.rule.RuleSet;
import dev.paceline.store.OutagePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;

/** Collects what is known of one upstream; each setter checks what it is given. Not thread-safe. */
public final class UpstreamBuilder {

  /** Does not look at the request. */
  static final Function<RequestView, Optional<String>> NOBODY = request -> Optional.empty();

  private static final RoutePattern EVERYTHING = RoutePattern.parse("*");

  private final String name;
  private final List<String> hosts = new ArrayList<>();
  private final List<Limit> wide = new ArrayList<>();
  private final List<Limit> shared = new ArrayList<>();
  private final List<Rule> rules = new ArrayList<>();
  Optional<RetryPolicy> retry = Optional.empty();
  Optional<Profile> profile = Optional.empty();
  Optional<RetryWiring.Breaker> breaker = Optional.empty();
  private Optional<IdempotencyKeys> keys = Optional.empty();
  private boolean mint;
  OutagePolicy onStoreFailure = OutagePolicy.LOCAL;
  private boolean learnGuard = true;
  private boolean learnLimits = true;
  private boolean discover;
  private final InFlightRules inFlight = new InFlightRules();
  private OptionalInt maxQueued = OptionalInt.empty();
  Function<RequestView, Optional<String>> client = NOBODY;
  Function<RequestView, Optional<String>> tier = NOBODY;

  UpstreamBuilder(String name) {
    this.name = name;
  }

  /**
   * The hosts of this upstream: names as in URLs, or {@code *.example.com} for all below one.
   *
   * @param names at least one over all calls, unless the upstream is only used by name
   */
  public UpstreamBuilder hosts(String... names) {
    for (String host : names) {
      String lower = Objects.requireNonNull(host, "host").toLowerCase(Locale.ROOT);
      String bare = lower.startsWith("*.") ? lower.substring(2) : lower;
      boolean plausible =
          !bare.isEmpty()
              && bare.chars()
                  .allMatch(c -> Character.isLetterOrDigit(c) || ".-_:[]".indexOf(c) >= 0);
      if (!plausible || bare.contains("//") || (bare.contains(":") && !bare.startsWith("["))) {
        throw new IllegalArgumentException(
            "host \""
                + host
                + "\" of upstream \""
                + name
                + "\" can never match; give a host name without scheme, port or path");
      }
      hosts.add(lower);
    }
    return this;
  }

  /** A limit on all calls of a client; without {@link #scopedBy} all calls are one client's. */
  public UpstreamBuilder limit(Limit limit) {
    wide.add(Objects.requireNonNull(limit, "limit"));
    return this;
  }

  /**
   * A limit on a client's calls of one route, beside the wider limits.
   *
   * @param route as {@link RoutePattern} reads it, e.g. {@code POST /v1/charges}
   */
  public UpstreamBuilder limit(String route, Limit... limits) {
    return rule(RoutePattern.parse(route), Optional.empty(), Optional.empty(), limits);
  }

  /** A limit on the calls of all clients together. */
  public UpstreamBuilder sharedLimit(Limit limit) {
    shared.add(Objects.requireNonNull(limit, "limit"));
    return this;
  }

  /** Limits for one client instead of everybody's; its tier's do not count for it. */
  public UpstreamBuilder clientLimit(String clientName, String route, Limit... limits) {
    return rule(RoutePattern.parse(route), Optional.of(clientName), Optional.empty(), limits);
  }

  /** Limits for the clients of one tier instead of everybody's. */
  public UpstreamBuilder tierLimit(String tierName, String route, Limit... limits) {
    return rule(RoutePattern.parse(route), Optional.empty(), Optional.of(tierName), limits);
  }

  private UpstreamBuilder rule(
      RoutePattern route, Optional<String> forClient, Optional<String> forTier, Limit... limits) {
    String suffix =
        forClient.map(c -> " client " + c).orElse("") + forTier.map(t -> " tier " + t).orElse("");
    rules.add(
        new Rule(
            route + suffix,
            route,
            forClient,
            forTier,
            Rule.Ownership.EACH_CLIENT,
            List.of(limits),
            OptionalInt.empty(),
            Optional.empty()));
    return this;
  }

  /**
   * Whose quota a call uses: each value has schedules of its own. Values of credential headers come
   * as fingerprints, so that no secret becomes a name.
   *
   * @param owner an account's or a tenant's name; empty for the calls of nobody in particular
   */
  public UpstreamBuilder scopedBy(Function<RequestView, Optional<String>> owner) {
    this.client = Objects.requireNonNull(owner, "owner");
    return this;
  }

  /** Which tier a call's client is in, for {@link #tierLimit}. */
  public UpstreamBuilder tieredBy(Function<RequestView, Optional<String>> tierOf) {
    this.tier = Objects.requireNonNull(tierOf, "tierOf");
    return this;
  }

  /**
   * How many callers may wait for one schedule.
   *
   * @param callers 0 or more
   */
  public UpstreamBuilder maxQueued(int callers) {
    if (callers < 0) {
      throw new IllegalArgumentException("maxQueued is " + callers + "; it must be 0 or more");
    }
    maxQueued = OptionalInt.of(callers);
    return this;
  }

  /**
   * How many calls of a client may be in flight at once: from when one may be sent until its
   * response body is closed. The others wait, as for a permit. The profile's by default.
   *
   * @param most 1 or more; {@link Integer#MAX_VALUE} for any number, whatever the profile says
   */
  public UpstreamBuilder inFlight(int most) {
    inFlight.ofEachClient(most);
    return this;
  }

  /**
   * How many calls of a client to one route may be in flight at once, beside {@link
   * #inFlight(int)}. As with limits, only the narrowest route that matches counts a call.
   *
   * @param route as {@link RoutePattern} reads it
   * @param most 1 or more
   */
  public UpstreamBuilder inFlight(String route, int most) {
    inFlight.ofRoute(RoutePattern.parse(route), most);
    return this;
  }

  /**
   * How many calls of all clients together may be in flight at once.
   *
   * @param most 1 or more
   */
  public UpstreamBuilder sharedInFlight(int most) {
    inFlight.ofAllClients(most);
    return this;
  }

  /**
   * After how long a call is no longer counted as in flight though nobody said that it is over, so
   * that a response body that is never closed blocks the others for that long at most; 10 minutes
   * by default.
   *
   * @param longest more than 0, at most a day; more than any call takes
   */
  public UpstreamBuilder longestCall(Duration longest) {
    inFlight.longest(longest);
    return this;
  }

  /** How often, how late and at whose expense its calls are repeated. */
  public UpstreamBuilder retry(Consumer<RetryPolicy.Builder> settings) {
    RetryPolicy.Builder policy = RetryPolicy.builder();
    settings.accept(policy);
    return retry(policy.build());
  }

  /** How often, how late and at whose expense its calls are repeated. */
  public UpstreamBuilder retry(RetryPolicy policy) {
    retry = Optional.of(policy);
    return this;
  }

  /**
   * What is known of the provider: how its responses are read, what may be sent again, under which
   * header an idempotency key travels; its hosts, where {@link #hosts} names none; and how many
   * calls may be in flight, where {@link #inFlight(int)} does not say. Its limits are not set by
   * it, since accounts differ: {@link dev.paceline.feedback.PublishedLimit#toLimit} makes one of
   * those that hold.
   */
  public UpstreamBuilder profile(Profile known) {
    profile = Optional.of(known);
    return this;
  }

  /**
   * Refuses calls at once, without a permit, while the upstream keeps failing.
   *
   * @param failures 1 or more failed attempts open the circuit
   * @param outOf that many of the last so many attempts; at least {@code failures}
   * @param openFor more than 0: how long it stays open before one attempt is let through
   */
  public UpstreamBuilder circuitBreaker(int failures, int outOf, Duration openFor) {
    UpstreamBreaker.create(name, failures, outOf, openFor, () -> 0);
    breaker = Optional.of(new RetryWiring.Breaker(failures, outOf, openFor));
    return this;
  }

  /**
   * Gives each call of a method that is not idempotent an idempotency key, if it has none: random,
   * the same on each attempt, under the header of the profile or {@code Idempotency-Key}.
   */
  public UpstreamBuilder mintIdempotencyKeys() {
    mint = true;
    return this;
  }

  /** As {@link #mintIdempotencyKeys()}, with a header and keys of one's own. */
  public UpstreamBuilder mintIdempotencyKeys(IdempotencyKeys own) {
    keys = Optional.of(own);
    return mintIdempotencyKeys();
  }

  Optional<IdempotencyKeys> idempotencyKeys() {
    if (!mint) {
      return Optional.empty();
    }
    return keys.or(
        () ->
            profile
                .flatMap(Profile::idempotencyKeyHeader)
                .map(IdempotencyKeys::named)
                .or(() -> Optional.of(IdempotencyKeys.standard())));
  }

  /** Those given; else the profile's. */
  List<String> hosts() {
    return hosts.isEmpty() ? profile.map(Profile::hosts).orElse(List.of()) : hosts;
  }

  /**
   * Whether the interval of a schedule that is kept and refused all the same grows by a guard until
   * refusals are rare; on by default.
   */
  public UpstreamBuilder learnGuard(boolean learn) {
    learnGuard = learn;
    return this;
  }

  /**
   * Whether, where no limit is configured, the first refusal sets one at the rate that was
   * accepted; on by default.
   */
  public UpstreamBuilder learnLimits(boolean learn) {
    learnLimits = learn;
    return this;
  }

  /**
   * Takes the rate of a limit from what responses publish: in place of the configured rate, whose
   * algorithm and burst stay, or where none is configured.
   */
  public UpstreamBuilder discoverLimits() {
    discover = true;
    return this;
  }

  /** What its callers get while the shared store is away; {@link OutagePolicy#LOCAL} by default. */
  public UpstreamBuilder onStoreFailure(OutagePolicy policy) {
    onStoreFailure = Objects.requireNonNull(policy, "policy");
    return this;
  }

  Learning.Lessons lessons() {
    return new Learning.Lessons(
        learnGuard, learnLimits, discover, profile.map(Profile::refusalsCount).orElse(true));
  }

  RuleSet rules() {
    List<Rule> all = new ArrayList<>(rules);
    addWide(all, "*", wide, Rule.Ownership.EACH_CLIENT);
    addWide(all, "shared", shared, Rule.Ownership.EVERYBODY);
    return new RuleSet(
        inFlight.over(all, profile.flatMap(Profile::inFlight)).stream()
            .map(this::bounded)
            .toList());
  }

  private static void addWide(
      List<Rule> all, String ruleName, List<Limit> limits, Rule.Ownership ownership) {
    if (!limits.isEmpty()) {
      all.add(
          new Rule(
              ruleName,
              EVERYTHING,
              Optional.empty(),
              Optional.empty(),
              ownership,
              limits,
              OptionalInt.empty(),
              Optional.empty()));
    }
  }

  /** The shortest of the queues that the upstream and the rule's leaking buckets ask for. */
  private Rule bounded(Rule rule) {
    OptionalInt bound = maxQueued;
    for (Limit limit : rule.limits()) {
      if (limit.maxQueued().isPresent()) {
        int own = limit.maxQueued().getAsInt();
        bound = OptionalInt.of(bound.isPresent() ? Math.min(own, bound.getAsInt()) : own);
      }
    }
    return new Rule(
        rule.name(),
        rule.route(),
        rule.client(),
        rule.tier(),
        rule.ownership(),
        rule.limits(),
        bound,
        rule.inFlight());
  }

  String name() {
    return name;
  }
}
