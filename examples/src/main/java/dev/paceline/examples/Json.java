package dev.paceline.examples;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalLong;

/** One JSON object a line. */
final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
          .build();

  private Json() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** The object that a line is. */
  static ObjectNode parse(String line) throws BadLineException {
    try {
      if (MAPPER.readTree(line) instanceof ObjectNode object) {
        return object;
      }
    } catch (JsonProcessingException e) {
      throw new BadLineException("it is no JSON: " + e.getOriginalMessage().replace('\n', ' '));
    }
    throw new BadLineException("it is no JSON object");
  }

  /**
   * A whole number.
   *
   * @return empty if the field is not there
   */
  static OptionalLong whole(ObjectNode object, String field) throws BadLineException {
    JsonNode value = object.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return OptionalLong.empty();
    }
    if (!value.canConvertToExactIntegral() || !value.canConvertToLong()) {
      throw new BadLineException("%s is %s: it must be a whole number".formatted(field, value));
    }
    return OptionalLong.of(value.longValue());
  }

  /** A number as it is, without a needless fraction; null if there is none. */
  static JsonNode number(Optional<BigDecimal> value) {
    if (value.isEmpty()) {
      return NullNode.getInstance();
    }
    BigDecimal bare = value.get().stripTrailingZeros();
    return bare.scale() <= 0
        ? BigIntegerNode.valueOf(bare.toBigInteger())
        : DecimalNode.valueOf(bare);
  }

  /** A figure of a report, with one digit behind the point. */
  static BigDecimal tenths(double value) {
    return BigDecimal.valueOf(Math.round(value * 10), 1);
  }

  static String line(ObjectNode object) {
    try {
      return MAPPER.writeValueAsString(object);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of values is always written", e);
    }
  }
}
