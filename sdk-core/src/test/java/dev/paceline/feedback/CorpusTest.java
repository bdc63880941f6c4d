package dev.paceline.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class CorpusTest {

  static List<Corpus.Case> withoutProfile() {
    return Corpus.cases().stream().filter(each -> !each.needsProfile()).toList();
  }

  static List<Corpus.Case> ofProfiles() {
    return Corpus.cases().stream()
        .filter(each -> Profiles.byName(each.vendor()).isPresent())
        .toList();
  }

  @Test
  void has_all_responses() {
    assertThat(Corpus.cases()).hasSize(370);
    assertThat(withoutProfile()).hasSize(357);
  }

  @ParameterizedTest
  @MethodSource("withoutProfile")
  void reads_without_a_hint_of_the_provider(Corpus.Case each) {
    Reading reading = FeedbackReader.standard().read(each.facts(true));

    assertThat(Corpus.describe(reading)).isEqualTo(each.expected());
  }

  @ParameterizedTest
  @MethodSource("ofProfiles")
  void reads_with_the_profile_of_the_provider(Corpus.Case each) {
    Profile profile = Profiles.byName(each.vendor()).orElseThrow();
    Reading reading = FeedbackReader.of(profile).read(each.facts(true));

    assertThat(Corpus.describe(reading)).isEqualTo(each.expected());
  }

  @Test
  void every_response_that_needs_a_profile_has_one() {
    assertThat(Corpus.cases())
        .filteredOn(Corpus.Case::needsProfile)
        .allSatisfy(each -> assertThat(Profiles.byName(each.vendor())).isPresent());
  }
}
