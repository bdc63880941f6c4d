package dev.paceline.store;

import java.util.Objects;

/**
 * The name of a group: the limits of one rule and one owner, decided and charged together.
 *
 * @param upstream the API that is called, e.g. {@code stripe}
 * @param owner whose quota it is: a client's name or fingerprint, or {@code *} when it is
 *     everyone's
 * @param rule which calls it counts, e.g. {@code POST /v1/charges}, or {@code *} for all
 */
public record GroupKey(String upstream, String owner, String rule) {

  /** Checks that no part is empty. */
  public GroupKey {
    require(upstream, "upstream");
    require(owner, "owner");
    require(rule, "rule");
  }

  private static void require(String part, String name) {
    if (Objects.requireNonNull(part, name).isEmpty()) {
      throw new IllegalArgumentException(name + " is empty; a group needs a name in each part");
    }
  }

  /** {@code upstream/owner/rule}, for people; not a storage key. */
  @Override
  public String toString() {
    return upstream + "/" + owner + "/" + rule;
  }
}
