package dev.paceline;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.paceline.feedback.FeedbackReader;
import dev.paceline.feedback.Profile;
import dev.paceline.feedback.Reading;
import dev.paceline.retry.IdempotencyKeys;
import dev.paceline.retry.UpstreamRetries;
import dev.paceline.rule.Fingerprint;
import dev.paceline.rule.RequestView;
import dev.paceline.rule.Rule;
import dev.paceline.rule.RuleSet;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.LocalStore;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One API that is called, with its rules. Thread-safe. */
public final class Upstream {

  /** The owner of schedules that are nobody's in particular. */
  static final String NOBODY = "*";

  /** What calls pass that no limit counts. */
  private static final List<Rule> UNLIMITED = List.of(InFlightRules.UNLIMITED);

  private static final int MAX_OWNER_LENGTH = 200;
  private static final int CACHED_SCOPES = 10_000;

  private final String name;
  private final RuleSet rules;
  private final Function<RequestView, Optional<String>> client;
  private final Function<RequestView, Optional<String>> tier;
  private final Fingerprint fingerprint;
  private final Engine engine;
  private final UpstreamRetries retries;
  private final FeedbackReader reader;
  private final Optional<IdempotencyKeys> minted;
  private final String keyHeader;
  private final Journal journal;
  private final Learning learning;

  private final LearnedLimits learned = new LearnedLimits();

  /** Scopes hold no state: one that was evicted is made again. */
  private final Cache<ScopeKey, Scope> scopes =
      Caffeine.newBuilder().maximumSize(CACHED_SCOPES).build();

  private final Function<ScopeKey, Scope> makeScope = this::make;

  /** Whether all calls pass the same limits, unless they say whose they are. */
  private final boolean oneScope;

  /** The scope of those calls, once it was looked up. */
  private volatile @Nullable Scope usual;

  private record ScopeKey(List<Rule> rules, String owner) {

    /**
     * The rules of one upstream differ in their names, and to hash the whole of them takes long.
     */
    @Override
    public int hashCode() {
      int hash = owner.hashCode();
      for (int i = 0; i < rules.size(); i++) {
        hash = 31 * hash + rules.get(i).name().hashCode();
      }
      return hash;
    }
  }

  Upstream(
      UpstreamBuilder builder,
      RuleSet rules,
      Fingerprint fingerprint,
      Engine engine,
      PacelineBuilder defaults) {
    this.name = builder.name();
    this.rules = rules;
    this.client = builder.client;
    this.tier = builder.tier;
    this.fingerprint = fingerprint;
    this.engine = engine;
    this.retries =
        RetryWiring.of(
            name,
            builder.retry.orElse(defaults.retry),
            builder.profile,
            builder.breaker,
            engine.time());
    this.reader = builder.profile.map(FeedbackReader::of).orElseGet(FeedbackReader::standard);
    this.minted = builder.idempotencyKeys();
    this.keyHeader =
        minted
            .map(IdempotencyKeys::headerName)
            .or(() -> builder.profile.flatMap(Profile::idempotencyKeyHeader))
            .orElse(IdempotencyKeys.standard().headerName());
    this.oneScope =
        client == UpstreamBuilder.NOBODY && tier == UpstreamBuilder.NOBODY && rules.isOneForAll();
    this.journal = new Journal(name, engine);
    this.learning =
        new Learning(engine, builder.lessons(), defaults.longestCooldown, learned, this::relearned);
  }

  /** As given to the builder. */
  public String name() {
    return name;
  }

  /** How its calls are repeated; one budget and one circuit breaker for all of them. */
  public UpstreamRetries retries() {
    return retries;
  }

  /** Reads its responses. */
  public FeedbackReader reader() {
    return reader;
  }

  /** Makes the idempotency keys of calls that have none; empty if they are to have none. */
  public Optional<IdempotencyKeys> idempotencyKeys() {
    return minted;
  }

  /** The header in which its calls carry an idempotency key. */
  public String idempotencyKeyHeader() {
    return keyHeader;
  }

  /** Takes note of its calls. */
  public Journal journal() {
    return journal;
  }

  /**
   * Takes up what a response says: the wait that it asks for becomes a cooldown of the schedules it
   * names, in every worker that shares them.
   *
   * @param scope what the request passed
   * @param permit the right by which it was sent
   * @param reading what {@link #reader} has read
   */
  public void learn(Scope scope, Permit permit, Reading reading) {
    learning.learn(scope, permit, reading);
  }

  /**
   * Ends the cooldowns of what a call passes, and of the whole upstream, in every worker: calls go
   * on at once, at the schedules' pace.
   */
  public void clearCooldowns(Scope scope) {
    engine.store().clearCooldown(Holds.of(name));
    scope.groups().forEach(engine.store()::clearCooldown);
  }

  /** The limits that a request passes. */
  public Scope scope(RequestView request) {
    return scope(request, Optional.empty(), Optional.empty());
  }

  /**
   * The limits that a request passes whose caller says whose quota it uses.
   *
   * @param ownerOfCall instead of what {@code scopedBy} says, if present
   * @param tierOfCall instead of what {@code tieredBy} says, if present
   */
  public Scope scope(
      RequestView request, Optional<String> ownerOfCall, Optional<String> tierOfCall) {
    if (oneScope && ownerOfCall.isEmpty() && tierOfCall.isEmpty()) {
      Scope known = usual;
      return known == null ? usual() : known;
    }
    RequestView masked = new MaskedRequest(request, fingerprint);
    Optional<String> owner = ownerOfCall.isPresent() ? ownerOfCall : client.apply(masked);
    Optional<String> ownTier = tierOfCall.isPresent() ? tierOfCall : tier.apply(masked);
    return scope(rules.match(request, owner, ownTier), owner);
  }

  private Scope usual() {
    Scope found = scopeOf(Optional.empty());
    usual = found;
    return found;
  }

  /** Permits for many owners. */
  KeyedLimiter keyed() {
    List<Rule> all = rules.rules();
    boolean oneForAll =
        all.size() == 1
            && all.get(0).client().isEmpty()
            && all.get(0).tier().isEmpty()
            && all.get(0).route().matchesAll()
            && all.get(0).ownership() == Rule.Ownership.EACH_CLIENT
            && all.get(0).inFlight().isEmpty();
    LocalStore local = engine.local();
    return new KeyedLimiter(
        this,
        oneForAll && local != null
            ? local.keys(name, all.get(0).name(), all.get(0).limits())
            : null);
  }

  /** The limits that a call of one owner passes, whatever its route. */
  public Scope scopeOf(Optional<String> owner) {
    return scope(rules.match("", "", owner, Optional.empty()), owner);
  }

  private Scope scope(List<Rule> passed, Optional<String> owner) {
    List<Rule> of = passed.isEmpty() ? UNLIMITED : passed;
    String ownerName = owner.map(Upstream::bounded).orElse(NOBODY);
    return scopes.get(new ScopeKey(of, ownerName), makeScope);
  }

  private Scope make(ScopeKey key) {
    List<Group> groups = key.rules().stream().map(rule -> group(rule, key.owner())).toList();
    return new Scope(engine, groups);
  }

  private Group group(Rule rule, String owner) {
    String of = rule.ownership() == Rule.Ownership.EVERYBODY ? NOBODY : owner;
    return learned.apply(new Group(new GroupKey(name, of, rule.name()), rule.limits()));
  }

  /** A group has other limits: the scopes that pass it go on under them, also for calls begun. */
  private void relearned(GroupKey key) {
    usual = null;
    scopes
        .asMap()
        .forEach(
            (of, scope) -> {
              if (scope.passes(key)) {
                Scope next = make(of);
                scopes.put(of, next);
                scope.succeededBy(next);
              }
            });
  }

  /** Whether a rule of this name counts all routes. */
  static boolean isWide(String rule) {
    return rule.equals("*") || rule.equals("shared") || rule.equals("unlimited");
  }

  /** Whether a rule of this name stands for the lack of one. */
  static boolean isUnlimited(String rule) {
    return rule.equals("unlimited");
  }

  /** A name that a caller sends must not make keys of any length. */
  private static String bounded(String owner) {
    if (owner.isEmpty()) {
      return NOBODY;
    }
    return owner.length() <= MAX_OWNER_LENGTH ? owner : LongNames.shorten(owner);
  }
}
