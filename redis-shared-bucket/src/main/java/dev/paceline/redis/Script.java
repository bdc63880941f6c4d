package dev.paceline.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Lua script with its digest. The text is constant, so that Redis compiles and keeps one.
 *
 * @param text ASCII
 * @param sha its SHA-1, in hexadecimal
 */
record Script(String text, String sha) {

  private static final String[] BODY = {"plain", "limits", "state", "asks", "changes", "decide"};

  /** The clock of Redis itself. */
  static String redisClock() {
    return resource("clock");
  }

  /** Decides, on Redis' clock. */
  static Script decide() {
    return decideOn(redisClock());
  }

  /**
   * Decides, on another clock.
   *
   * @param clock sets {@code now} (microseconds) and {@code margin} (milliseconds)
   */
  static Script decideOn(String clock) {
    return of(clock + Stream.of(BODY).map(Script::resource).collect(Collectors.joining("\n")));
  }

  /** Takes a heartbeat and counts the workers, on a clock as for {@link #decideOn}. */
  static Script heartbeatOn(String clock) {
    return of(clock + resource("heartbeat"));
  }

  /** Takes, returns and hands on leases. */
  static Script leases() {
    return of(resource("clock") + resource("leases"));
  }

  private static Script of(String text) {
    try {
      MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
      byte[] digest = sha1.digest(text.getBytes(StandardCharsets.US_ASCII));
      return new Script(text, HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }

  private static String resource(String name) {
    try (InputStream in = Script.class.getResourceAsStream(name + ".lua")) {
      if (in == null) {
        throw new IllegalStateException(name + ".lua is missing beside " + Script.class);
      }
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
