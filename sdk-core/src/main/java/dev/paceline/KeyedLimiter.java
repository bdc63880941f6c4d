package dev.paceline;

import dev.paceline.store.LocalKeys;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Permits of one upstream for many owners, each with a schedule of its own: made for a million of
 * them. Thread-safe.
 */
public final class KeyedLimiter {

  private final Upstream upstream;
  private final @Nullable LocalKeys keys;

  KeyedLimiter(Upstream upstream, @Nullable LocalKeys keys) {
    this.upstream = upstream;
    this.keys = keys;
  }

  /**
   * Takes one of the owner's permits if it is free now.
   *
   * @param owner a tenant's or an account's name; not a credential, not empty
   */
  public boolean tryAcquire(String owner) {
    return keys != null
        ? keys.tryTake(owner)
        : new Limiter(upstream.scopeOf(Optional.of(owner))).tryAcquire();
  }

  /** The owner's limiter, to wait for permits. */
  public Limiter of(String owner) {
    return new Limiter(upstream.scopeOf(Optional.of(owner)));
  }
}
