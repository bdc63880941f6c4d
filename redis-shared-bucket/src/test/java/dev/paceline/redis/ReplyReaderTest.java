package dev.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paceline.redis.ReplyReader.MalformedReplyException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyReaderTest {
  private static final String STATE = "1 1000000 500 0 500 100";

  @Test
  void alike_starts_come_as_their_number() {
    Object reply = List.of("7", 1L, 0L, STATE, 5L, -3L, 20L, 40L, -1L);

    assertThat(ReplyReader.read(reply, "7", 1, 1).replies().get(0).starts())
        .containsExactly(
            1_000_005, 1_000_005, 1_000_005, 1_000_005, 1_000_020, 1_000_040, 1_000_040);
  }

  @Test
  void a_number_of_nothing_is_malformed() {
    Object reply = List.of("7", 1L, 0L, STATE, -3L);

    assertThatThrownBy(() -> ReplyReader.read(reply, "7", 1, 1))
        .isInstanceOf(MalformedReplyException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {-512, -1_000_000_000, Long.MIN_VALUE})
  void more_than_a_turn_is_malformed(long more) {
    Object reply = List.of("7", 1L, 0L, STATE, 5L, more);

    assertThatThrownBy(() -> ReplyReader.read(reply, "7", 1, 1))
        .isInstanceOf(MalformedReplyException.class);
  }

  @Test
  void one_permit_comes_in_a_line() {
    ReplyReader.Result read = ReplyReader.read(List.of("7 25 " + STATE), "7", 1, 3);

    assertThat(read.replies().get(0).starts()).containsExactly(1_000_025);
    assertThat(read.replies().get(0).workers()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "7",
        "7 ",
        "8 25 1",
        "7 25",
        "7 25 ",
        "7 -1 1",
        "7 x 1",
        "7 999999999999999 1"
      })
  void a_line_that_is_none_is_malformed(String line) {
    assertThatThrownBy(() -> ReplyReader.read(List.of(line), "7", 1, 1))
        .isInstanceOf(MalformedReplyException.class);
    assertThatThrownBy(() -> ReplyReader.read(List.of("7 25 " + STATE), "7", 2, 1))
        .isInstanceOf(MalformedReplyException.class);
  }
}
