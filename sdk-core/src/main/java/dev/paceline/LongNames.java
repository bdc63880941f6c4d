package dev.paceline;

import dev.paceline.rule.Fingerprint;
import java.nio.charset.StandardCharsets;

/** Names too long for a key. */
final class LongNames {

  private static final int KEPT = 100;

  private static final Fingerprint DIGEST =
      Fingerprint.withKey("paceline".getBytes(StandardCharsets.US_ASCII));

  private LongNames() {}

  /** Its beginning and a digest of all of it: as good as unique, and of bounded length. */
  static String shorten(String name) {
    return name.substring(0, KEPT) + "~" + DIGEST.of(name);
  }
}
