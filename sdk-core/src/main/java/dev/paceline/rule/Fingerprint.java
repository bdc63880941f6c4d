package dev.paceline.rule;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Turns a credential into a name that can be shared: the first 80 bits of its HMAC-SHA-256. The
 * same credential gives the same name in every worker with the same key. Thread-safe.
 */
public final class Fingerprint {

  private static final String ALGORITHM = "HmacSHA256";
  private static final int HEX_DIGITS = 20;

  private static final Set<String> CREDENTIAL_HEADERS =
      Set.of(
          "authorization",
          "proxy-authorization",
          "cookie",
          "x-api-key",
          "api-key",
          "x-auth-token",
          "x-access-token",
          "x-shopify-access-token");

  private final SecretKeySpec key;

  private Fingerprint(byte[] key) {
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  /**
   * Fingerprints with a key that all workers of the fleet have.
   *
   * @param key not empty; kept out of every message
   */
  public static Fingerprint withKey(byte[] key) {
    if (key.length == 0) {
      throw new IllegalArgumentException("the fingerprint key is empty; give at least one byte");
    }
    return new Fingerprint(key.clone());
  }

  /** True if a header of this name carries a credential. */
  public static boolean isCredentialHeader(String name) {
    return CREDENTIAL_HEADERS.contains(name.toLowerCase(Locale.ROOT));
  }

  /** The fingerprint of a credential: {@code fp-} and hexadecimal digits. */
  public String of(String credential) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      byte[] digest = mac.doFinal(credential.getBytes(StandardCharsets.UTF_8));
      return "fp-" + HexFormat.of().formatHex(digest).substring(0, HEX_DIGITS);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }
}
