package dev.paceline.feedback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paceline.limit.Limit;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ProfilesTest {

  static Stream<Profile> all() {
    return Profiles.names().stream().map(name -> Profiles.byName(name).orElseThrow());
  }

  @ParameterizedTest
  @MethodSource("all")
  void cites_its_source_and_date(Profile profile) {
    URI source = URI.create(profile.source());

    assertThat(source.getScheme()).isEqualTo("https");
    assertThat(source.getHost()).contains(".");
    assertThat(profile.asOf()).isAfter(LocalDate.of(2026, 1, 1));
  }

  @ParameterizedTest
  @MethodSource("all")
  void reads_bodies_exactly_where_a_rule_looks_at_them(Profile profile) {
    assertThat(profile.bodyRules().isEmpty()).isEqualTo(profile.bodyStatuses().isEmpty());
    for (BodyRule rule : profile.bodyRules()) {
      assertThat(profile.bodyStatuses()).containsAll(rule.statuses());
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void its_limits_can_be_kept(Profile profile) {
    for (PublishedLimit published : profile.limits()) {
      Limit limit = published.toLimit();
      assertThat(limit.permits()).isEqualTo(published.permits());
      assertThat(limit.period()).isEqualTo(published.period());
      assertThat(limit.unit()).isEqualTo(published.unit());
      published.burst().ifPresent(burst -> assertThat(limit.burst()).isEqualTo(burst));
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void survives_being_built_again(Profile profile) {
    assertThat(profile.toBuilder().build()).isEqualTo(profile);
  }

  @Test
  void holds_the_providers_that_are_promised() {
    assertThat(Profiles.names())
        .isSorted()
        .contains(
            "stripe",
            "paypal",
            "adyen",
            "square",
            "plaid",
            "shopify",
            "shopify-graphql",
            "github",
            "slack",
            "twilio",
            "hubspot",
            "salesforce",
            "xero",
            "zendesk",
            "amazon-sp-api",
            "openai",
            "azure-openai",
            "anthropic",
            "discord",
            "microsoft-graph",
            "google",
            "binance",
            "kraken",
            "meta",
            "notion",
            "marketo",
            "jira",
            "bigcommerce",
            "okta");
    assertThat(Profiles.byName("nobody")).isEmpty();
  }

  @Test
  void one_field_can_be_overridden() {
    Profile mine =
        Profiles.stripe().toBuilder()
            .limits(List.of(PublishedLimit.of(500, Duration.ofSeconds(1), "gcra")))
            .build();

    assertThat(mine.limits()).extracting(PublishedLimit::permits).containsExactly(500L);
    assertThat(mine.idempotencyKeyHeader()).contains("Idempotency-Key");
    assertThat(mine.hosts()).isEqualTo(Profiles.stripe().hosts());
  }

  @Test
  void hosts_match_whole_labels_only() {
    assertThat(Profiles.stripe().servesHost("API.stripe.com")).isTrue();
    assertThat(Profiles.stripe().servesHost("api.stripe.com.evil.example")).isFalse();
    assertThat(Profiles.shopify().servesHost("shop.myshopify.com")).isTrue();
    assertThat(Profiles.shopify().servesHost("evilmyshopify.com")).isFalse();
    assertThat(Profiles.shopify().servesHost("myshopify.com")).isFalse();
  }

  @Test
  void a_row_of_a_profile_replaces_the_standard_one() {
    Profile silent =
        Profile.builder("silent")
            .headers(List.of(HeaderField.of("Retry-After", HeaderMeaning.NOTHING)))
            .build();
    ResponseFacts facts = ResponseFacts.of(429, HeaderLines.of("Retry-After", "5"), Instant.EPOCH);

    assertThat(FeedbackReader.of(silent).read(facts).retryAfter()).isEmpty();
    assertThat(FeedbackReader.standard().read(facts).retryAfter()).isPresent();
  }

  @Test
  void what_makes_no_sense_is_refused_when_built() {
    assertThatThrownBy(() -> Profile.builder("x").bodyBytes(65_537).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("bodyBytes is 65537; it must be from 0 to 65536");
    assertThatThrownBy(() -> HeaderField.of("a-*-b-*", HeaderMeaning.LIMIT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a-*-b-*");
    assertThatThrownBy(() -> PublishedLimit.of(0, Duration.ofSeconds(1), "gcra"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("permits is 0; it must be at least 1");
    assertThatThrownBy(() -> HeaderLines.of("a")).isInstanceOf(IllegalArgumentException.class);
  }
}
