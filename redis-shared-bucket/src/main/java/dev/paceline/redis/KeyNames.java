package dev.paceline.redis;

import dev.paceline.store.GroupKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Names in Redis: {@code pl1:{upstream:owner}:rule} for a group, so that all groups of one owner
 * share a slot. The digit is the version of what is stored.
 *
 * <p>Every byte of a part that is not a letter, a digit or one of {@code -_.~*@/+,=} is written as
 * {@code %XX}: no part can hold a separator or a brace, so none can move a key to another slot, and
 * different parts never give the same name.
 */
final class KeyNames {
  private static final String VERSION = "pl1:";
  private static final String PLAIN = "-_.~*@/+,=";
  private static final String HEX = "0123456789ABCDEF";

  private final String prefix;

  /**
   * Names that begin with the version and the namespace.
   *
   * @param namespace keeps fleets apart that share a Redis; empty for none
   */
  KeyNames(String namespace) {
    prefix = namespace.isEmpty() ? VERSION : VERSION + escape(namespace) + ":";
  }

  /** The key of a group. */
  String of(GroupKey group) {
    return prefix
        + "{"
        + escape(group.upstream())
        + ":"
        + escape(group.owner())
        + "}:"
        + escape(group.rule());
  }

  /** The key of a group's calls in flight; in the owner's slot. */
  String inFlight(GroupKey group) {
    return of(group) + ":inflight";
  }

  /** The key of the workers that wait for one of those to end; in the owner's slot. */
  String waiting(GroupKey group) {
    return of(group) + ":waiting";
  }

  /** The key of the workers' heartbeats. */
  String workers() {
    return prefix + "workers";
  }

  /** The key of the limits of rules; in the slot of {@link #workers}, with which it is written. */
  String rules() {
    return prefix + "rules:{" + workers() + "}";
  }

  /** The channel on which cooldowns are published. */
  String channel() {
    return prefix + "news";
  }

  /** The pattern of the keys of all groups, for SCAN. */
  String pattern() {
    return prefix + "{*";
  }

  /** The group of a key of this namespace. */
  Optional<GroupKey> group(String key) {
    if (!key.startsWith(prefix + "{")) {
      return Optional.empty();
    }
    List<String> parts = List.of(key.substring(prefix.length() + 1).split("[:}]", -1));
    // upstream : owner } (nothing) : rule
    if (parts.size() != 4 || !parts.get(2).isEmpty()) {
      return Optional.empty();
    }
    try {
      GroupKey group =
          new GroupKey(unescape(parts.get(0)), unescape(parts.get(1)), unescape(parts.get(3)));
      return of(group).equals(key) ? Optional.of(group) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  static String escape(String part) {
    StringBuilder escaped = new StringBuilder(part.length());
    for (byte b : part.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) {
        escaped.append(c);
      } else if (PLAIN.indexOf(c) >= 0) {
        escaped.append(c);
      } else {
        escaped.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
      }
    }
    return escaped.toString();
  }

  static String unescape(String part) {
    byte[] bytes = new byte[part.length()];
    int count = 0;
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      if (c != '%') {
        bytes[count++] = (byte) c;
      } else if (i + 2 < part.length()) {
        bytes[count++] = (byte) Integer.parseInt(part.substring(i + 1, i + 3), 16);
        i += 2;
      } else {
        throw new IllegalArgumentException(part);
      }
    }
    return new String(bytes, 0, count, StandardCharsets.UTF_8);
  }
}
