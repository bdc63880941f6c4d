package dev.paceline.okhttp;

import dev.paceline.AcquireOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import kotlin.jvm.JvmClassMappingKt;
import kotlin.reflect.KClass;
import okhttp3.Request;

/**
 * What one call asks of Paceline, carried as a tag of its request:
 *
 * <pre>{@code
 * Request request = CallOptions.standard().priority(10).cost("tokens", 1200)
 *     .on(new Request.Builder().url(url)).build();
 * }</pre>
 *
 * <p>Immutable. It holds for each attempt and for the clones of a call.
 */
public final class CallOptions {

  private static final KClass<CallOptions> TYPE =
      JvmClassMappingKt.getKotlinClass(CallOptions.class);

  private static final CallOptions STANDARD =
      new CallOptions(
          AcquireOptions.standard(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          false,
          Optional.empty());

  private final AcquireOptions acquire;
  private final Optional<Duration> maxWait;
  private final Optional<String> owner;
  private final Optional<String> tier;
  private final Optional<Boolean> idempotencyKey;
  private final boolean idempotent;
  private final Optional<String> attemptHeader;

  private CallOptions(
      AcquireOptions acquire,
      Optional<Duration> maxWait,
      Optional<String> owner,
      Optional<String> tier,
      Optional<Boolean> idempotencyKey,
      boolean idempotent,
      Optional<String> attemptHeader) {
    this.acquire = acquire;
    this.maxWait = maxWait;
    this.owner = owner;
    this.tier = tier;
    this.idempotencyKey = idempotencyKey;
    this.idempotent = idempotent;
    this.attemptHeader = attemptHeader;
  }

  /** One request of priority 0, everything else as Paceline was built. */
  public static CallOptions standard() {
    return STANDARD;
  }

  /** Higher goes first among the waiting calls of this process; 0 by default. */
  public CallOptions priority(int priority) {
    return with(acquire.priority(priority), maxWait);
  }

  /**
   * What the call costs in a unit; limits of other units but {@code requests} are not charged.
   *
   * @param unit as the limit's
   * @param cost 1 or more
   */
  public CallOptions cost(String unit, long cost) {
    return with(acquire.cost(unit, cost), maxWait);
  }

  /**
   * The longest wait for a permit or for a retry.
   *
   * @param longest zero for a permit that is free now; not negative
   */
  public CallOptions maxWait(Duration longest) {
    return with(acquire.maxWait(longest), Optional.of(longest));
  }

  private CallOptions with(AcquireOptions changed, Optional<Duration> longest) {
    return new CallOptions(
        changed, longest, owner, tier, idempotencyKey, idempotent, attemptHeader);
  }

  /**
   * Whose quota the call uses, instead of what the upstream's {@code scopedBy} says.
   *
   * @param name an account's or a tenant's; not a credential, since it becomes part of keys
   */
  public CallOptions owner(String name) {
    return new CallOptions(
        acquire, maxWait, Optional.of(name), tier, idempotencyKey, idempotent, attemptHeader);
  }

  /** The tier of the owner, instead of what the upstream's {@code tieredBy} says. */
  public CallOptions tier(String name) {
    return new CallOptions(
        acquire, maxWait, owner, Optional.of(name), idempotencyKey, idempotent, attemptHeader);
  }

  /**
   * Whether a new idempotency key is sent if the request has none, instead of what the upstream
   * does. It is the same on each attempt, and another for each call and each clone.
   */
  public CallOptions idempotencyKey(boolean mint) {
    return new CallOptions(
        acquire, maxWait, owner, tier, Optional.of(mint), idempotent, attemptHeader);
  }

  /** Vouches that sending the request twice does no harm, whatever its method. */
  public CallOptions idempotent() {
    return new CallOptions(acquire, maxWait, owner, tier, idempotencyKey, true, attemptHeader);
  }

  /** Sends the number of each attempt, from 1, in a request header. */
  public CallOptions attemptHeader(String name) {
    Objects.requireNonNull(name, "name");
    return new CallOptions(
        acquire, maxWait, owner, tier, idempotencyKey, idempotent, Optional.of(name));
  }

  /** Puts these options on a request. */
  public Request.Builder on(Request.Builder request) {
    return request.tag(CallOptions.class, this);
  }

  static CallOptions of(Request request) {
    CallOptions tagged = request.tag(TYPE);
    return tagged == null ? STANDARD : tagged;
  }

  AcquireOptions acquire() {
    return acquire;
  }

  Optional<Duration> maxWait() {
    return maxWait;
  }

  Optional<String> owner() {
    return owner;
  }

  Optional<String> tier() {
    return tier;
  }

  Optional<Boolean> idempotencyKey() {
    return idempotencyKey;
  }

  boolean isIdempotent() {
    return idempotent;
  }

  Optional<String> attemptHeader() {
    return attemptHeader;
  }
}
