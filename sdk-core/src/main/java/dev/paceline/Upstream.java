package dev.paceline;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
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

/** One API that is called, with its rules. Thread-safe. */
public final class Upstream {

  /** The owner of schedules that are nobody's in particular. */
  static final String NOBODY = "*";

  private static final int MAX_OWNER_LENGTH = 200;
  private static final int CACHED_SCOPES = 10_000;

  private final String name;
  private final RuleSet rules;
  private final Function<RequestView, Optional<String>> client;
  private final Function<RequestView, Optional<String>> tier;
  private final Fingerprint fingerprint;
  private final Engine engine;

  /** Scopes hold no state: one that was evicted is made again. */
  private final Cache<ScopeKey, Scope> scopes =
      Caffeine.newBuilder().maximumSize(CACHED_SCOPES).build();

  private record ScopeKey(List<Rule> rules, String owner) {}

  Upstream(UpstreamBuilder builder, RuleSet rules, Fingerprint fingerprint, Engine engine) {
    this.name = builder.name();
    this.rules = rules;
    this.client = builder.client;
    this.tier = builder.tier;
    this.fingerprint = fingerprint;
    this.engine = engine;
  }

  /** As given to the builder. */
  public String name() {
    return name;
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
    RequestView masked = new MaskedRequest(request, fingerprint);
    Optional<String> owner = ownerOfCall.isPresent() ? ownerOfCall : client.apply(masked);
    Optional<String> ownTier = tierOfCall.isPresent() ? tierOfCall : tier.apply(masked);
    return scope(rules.match(request.method(), request.path(), owner, ownTier), owner);
  }

  /** Permits for many owners. */
  KeyedLimiter keyed() {
    List<Rule> all = rules.rules();
    boolean oneForAll =
        all.size() == 1
            && all.get(0).client().isEmpty()
            && all.get(0).tier().isEmpty()
            && all.get(0).route().matchesAll()
            && all.get(0).ownership() == Rule.Ownership.EACH_CLIENT;
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
    String ownerName = owner.map(Upstream::bounded).orElse(NOBODY);
    return scopes.get(new ScopeKey(passed, ownerName), this::make);
  }

  private Scope make(ScopeKey key) {
    List<Group> groups = key.rules().stream().map(rule -> group(rule, key.owner())).toList();
    return new Scope(engine, groups);
  }

  private Group group(Rule rule, String owner) {
    String of = rule.ownership() == Rule.Ownership.EVERYBODY ? NOBODY : owner;
    return new Group(new GroupKey(name, of, rule.name()), rule.limits());
  }

  /** A name that a caller sends must not make keys of any length. */
  private static String bounded(String owner) {
    if (owner.isEmpty()) {
      return NOBODY;
    }
    return owner.length() <= MAX_OWNER_LENGTH ? owner : LongNames.shorten(owner);
  }
}
