package dev.paceline.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paceline.feedback.StructuredFields.Member;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StructuredFieldsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "5|INTEGER|5",
        "-999999999999999|INTEGER|-999999999999999",
        "1.5|DECIMAL|1.5",
        "123456789012.123|DECIMAL|123456789012.123",
        "\"a \\\" \\\\\"|STRING|a \" \\",
        "foo/bar:*|TOKEN|foo/bar:*",
        "*a|TOKEN|*a",
        ":cHsdsRa894==:|BYTES|cHsdsRa894==",
        "::|BYTES|``",
        "?1|BOOLEAN|1",
        "?0|BOOLEAN|0",
        "@1768478430|DATE|1768478430",
        "%\"f%c3%bc\"|DISPLAY|f\u00fc",
        "(a \"b\";c 1)|LIST|``"
      })
  void items_have_their_type(String text, StructuredValue.Type type, String value) {
    assertThat(StructuredFields.list(text))
        .singleElement()
        .satisfies(
            member -> {
              assertThat(member.value().type()).isEqualTo(type);
              assertThat(member.value().text()).isEqualTo(value);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1234567890123456",
        "1.",
        "1.2345",
        "1234567890123.1",
        "-",
        "+1",
        "\"a",
        "\"\\x\"",
        "?2",
        "?",
        "@1.5",
        "@",
        "%a",
        "%\"%C3\"",
        "%\"%ff\"",
        ":a*:",
        ":a:",
        ":YQ=:",
        "(a",
        "(a,b)",
        "(a\t)",
        "a,",
        ",a",
        "a,,b",
        "a b",
        "a ;b",
        "a;",
        "a;\tb",
        "a;B",
        "a;b =1",
        "a;b= 1",
        "'a'",
        "{}"
      })
  void one_error_spoils_the_field(String text) {
    assertThat(StructuredFields.list(text)).isNull();
  }

  @Test
  void the_last_of_a_repeated_key_counts() {
    List<Member> members = StructuredFields.dictionary("a=1, b;x=1;x=2, a=3");

    assertThat(members).extracting(Member::key).containsExactly("b", "a");
    assertThat(members.get(0).param("x")).extracting(StructuredValue::number).isEqualTo(2L);
    assertThat(members.get(1).value().number()).isEqualTo(3);
  }

  @Test
  void white_space_is_allowed_around_commas_only() {
    assertThat(StructuredFields.list("  a \t,\t b;  c=1  ")).hasSize(2);
    assertThat(StructuredFields.list("")).isEmpty();
  }

  @Test
  void more_than_the_bounds_is_an_error() {
    assertThat(StructuredFields.list("a" + ",a".repeat(StructuredFields.MAX_MEMBERS - 1)))
        .hasSize(StructuredFields.MAX_MEMBERS);
    assertThat(StructuredFields.list("a" + ",a".repeat(StructuredFields.MAX_MEMBERS))).isNull();
    assertThat(StructuredFields.list("a" + ";b".repeat(StructuredFields.MAX_PARAMS))).hasSize(1);
    assertThat(StructuredFields.list("a" + ";b".repeat(StructuredFields.MAX_PARAMS + 1))).isNull();
  }
}
