package dev.paceline.retry;

import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Idempotency keys: under which header they travel, and how new ones are made.
 *
 * <p>A key belongs to one logical call: ask for it once, before the first attempt, and send the
 * same on each. A key made inside the loop turns each attempt into an order of its own.
 */
public final class IdempotencyKeys {
  private static final String TOKEN_CHARACTERS = "!#$%&'*+-.^_`|~";

  private final String headerName;
  private final Supplier<String> mint;

  private IdempotencyKeys(String headerName, Supplier<String> mint) {
    this.headerName = headerName;
    this.mint = mint;
  }

  /** Random keys (version 4 UUIDs) under {@code Idempotency-Key}. */
  public static IdempotencyKeys standard() {
    return named("Idempotency-Key");
  }

  /**
   * Random keys (version 4 UUIDs) under a provider's own header.
   *
   * @throws IllegalArgumentException if the name is no header name
   */
  public static IdempotencyKeys named(String headerName) {
    return new IdempotencyKeys(requireToken(headerName), () -> UUID.randomUUID().toString());
  }

  /** The same header with other keys. The supplier must be thread-safe. */
  public IdempotencyKeys mintedBy(Supplier<String> supplier) {
    return new IdempotencyKeys(headerName, supplier);
  }

  /** The header that carries the key. */
  public String headerName() {
    return headerName;
  }

  /** The key of a new logical call: the caller's own if it has set one, else a new one. */
  public String forCall(Optional<String> callersOwn) {
    return callersOwn.isPresent() ? callersOwn.get() : mint.get();
  }

  private static String requireToken(String name) {
    boolean token = !name.isEmpty();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean alphanumeric = c < 0x80 && Character.isLetterOrDigit(c);
      token &= alphanumeric || TOKEN_CHARACTERS.indexOf(c) >= 0;
    }
    if (!token) {
      throw new IllegalArgumentException(
          "headerName is '" + name + "'; it must be a header name of letters, digits and dashes");
    }
    return name;
  }
}
