package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.store.GroupKey;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyNamesTest {
  /** What has moved keys to other slots, or made two keys one, elsewhere. */
  static final List<String> NASTY =
      List.of(
          "a",
          "*",
          "{",
          "}",
          "{}",
          "}{",
          "a{b}c",
          "{a}",
          "a:b",
          "a:",
          ":a",
          ":",
          "%",
          "%7B",
          "a b",
          " ",
          "\t",
          "\n",
          "\r\n",
          "\u0000",
          "ü",
          "日本",
          "😀",
          "a/b",
          "POST /v1/{id}",
          "~",
          "pl1:",
          "\\",
          "'",
          "\"",
          "a,b",
          "a\u00a0b");

  @Test
  void usual_name_is_short_and_readable() {
    assertThat(new KeyNames("").of(new GroupKey("stripe", "acct_1", "POST /v1/charges")))
        .isEqualTo("pl1:{stripe:acct_1}:POST%20/v1/charges");
    assertThat(new KeyNames("").of(new GroupKey("s", "*", "*"))).hasSize(11);
  }

  @Test
  void different_groups_have_different_names_that_lead_back_to_them() {
    Set<String> names = new HashSet<>();
    int groups = 0;
    for (String namespace : List.of("", "staging", "{", "a:b")) {
      KeyNames keys = new KeyNames(namespace);
      for (String upstream : NASTY) {
        for (String owner : NASTY) {
          for (String rule : NASTY) {
            GroupKey group = new GroupKey(upstream, owner, rule);
            String name = keys.of(group);
            groups++;
            names.add(name);
            assertThat(keys.group(name)).contains(group);
          }
        }
      }
    }
    assertThat(names).hasSize(groups);
  }

  @Test
  void hash_tag_is_the_owner_whatever_the_names() {
    KeyNames keys = new KeyNames("n{s}");
    for (String part : NASTY) {
      String name = keys.of(new GroupKey(part, part, part));
      String tag = name.substring(name.indexOf('{') + 1, name.indexOf('}'));
      assertThat(tag).isEqualTo(KeyNames.escape(part) + ":" + KeyNames.escape(part));
      assertThat(name).matches("[!-~]+");
    }
  }

  @Test
  void foreign_names_are_no_groups() {
    KeyNames keys = new KeyNames("");
    for (String name :
        List.of(
            "",
            "pl1:",
            "pl1:{a:b}",
            "pl1:{a:b}:",
            "pl1:{a:b}:c:d",
            "pl1:{a}:b",
            "pl1:{:b}:c",
            "pl1:{a:b}x:c",
            "pl1:{a:b}:%",
            "pl1:{a:b}:%7",
            "pl1:{a:b}:%zz",
            "pl1:{a:b}:%61",
            "pl2:{a:b}:c",
            "pl1:ns:{a:b}:c",
            "pl1:workers",
            "pl1:{a:b}:ü")) {
      assertThat(keys.group(name)).as(name).isEmpty();
    }
  }
}
