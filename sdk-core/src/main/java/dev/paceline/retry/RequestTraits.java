package dev.paceline.retry;

/**
 * What a request allows.
 *
 * @param method the HTTP method as sent; methods are case-sensitive
 * @param hasIdempotencyKey whether each attempt carries one and the same idempotency key
 * @param replayableBody whether the body can be written again: false for one-shot and duplex bodies
 * @param declaredIdempotent whether the caller vouches that sending it twice does no harm
 */
public record RequestTraits(
    String method, boolean hasIdempotencyKey, boolean replayableBody, boolean declaredIdempotent) {

  /** A request with a body that can be replayed, and nothing declared. */
  public static RequestTraits of(String method) {
    return new RequestTraits(method, false, true, false);
  }

  /** The same request carrying an idempotency key. */
  public RequestTraits withIdempotencyKey() {
    return new RequestTraits(method, true, replayableBody, declaredIdempotent);
  }

  /** The same request with a body that can be written only once. */
  public RequestTraits withOneShotBody() {
    return new RequestTraits(method, hasIdempotencyKey, false, declaredIdempotent);
  }

  /** The same request, declared safe to send twice. */
  public RequestTraits declaredIdempotentByCaller() {
    return new RequestTraits(method, hasIdempotencyKey, replayableBody, true);
  }
}
