package dev.paceline.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeysTest {

  /** DW-05. */
  @Test
  void each_logical_call_gets_a_key_of_its_own() {
    IdempotencyKeys keys = IdempotencyKeys.standard();
    String first = keys.forCall(Optional.empty());
    assertThat(UUID.fromString(first).version()).isEqualTo(4);
    assertThat(keys.forCall(Optional.empty())).isNotEqualTo(first);
  }

  /** DW-04. */
  @Test
  void the_callers_own_key_is_kept() {
    assertThat(IdempotencyKeys.standard().forCall(Optional.of("1234-5678-abcd-efg")))
        .isEqualTo("1234-5678-abcd-efg");
  }

  @Test
  void header_and_source_are_the_providers() {
    IdempotencyKeys keys = IdempotencyKeys.named("X-Request-Id").mintedBy(() -> "42");
    assertThat(keys.headerName()).isEqualTo("X-Request-Id");
    assertThat(keys.forCall(Optional.empty())).isEqualTo("42");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a:b", "a\r\nb", "é"})
  void a_name_that_is_no_header_is_refused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> IdempotencyKeys.named(name))
        .withMessageContaining("headerName");
  }
}
