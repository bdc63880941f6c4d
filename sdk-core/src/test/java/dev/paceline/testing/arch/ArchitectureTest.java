package dev.paceline.testing.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shape of the core. */
class ArchitectureTest {
  private static final JavaClasses MAIN = Rules.mainClasses();

  @Test
  void each_package_depends_only_on_earlier_ones() {
    String[] order =
        Stream.of(
                "time",
                "event",
                "limit",
                "store",
                "pace",
                "rule",
                "feedback",
                "retry",
                "",
                "testkit")
            .map(name -> name.isEmpty() ? "dev.paceline" : "dev.paceline." + name)
            .toArray(String[]::new);
    PackageOrder.of(order).check(MAIN);
  }

  @Test
  void packages_have_no_cycles() {
    SlicesRuleDefinition.slices()
        .matching("dev.paceline.(**)")
        .should()
        .beFreeOfCycles()
        .check(MAIN);
  }

  @Test
  void core_knows_no_http_client_and_no_store() {
    ArchRule rule =
        noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "okhttp3..", "okio..", "kotlin..", "io.lettuce..", "io.netty..", "reactor..");
    rule.check(MAIN);
  }

  @Test
  void no_signature_names_a_library() {
    Rules.signaturesFreeOf(
            "okhttp3", "io.lettuce", "dev.failsafe", "com.github.benmanes", "org.slf4j")
        .check(MAIN);
  }

  @Test
  void limits_are_pure_arithmetic() {
    noClasses()
        .that()
        .resideInAPackage("dev.paceline.limit..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.io..",
            "java.nio..",
            "java.net..",
            "java.util.concurrent.locks..",
            "java.util.concurrent.atomic..",
            "org.slf4j..",
            "com.github.benmanes..",
            "dev.failsafe..",
            "dev.paceline.time..")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.time.Clock")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.lang.Thread")
        .check(MAIN);
  }

  @Test
  void only_the_time_package_reaches_clocks_and_timers() {
    Rules.timeOnlyIn("dev.paceline.time").check(MAIN);
  }

  @Test
  void common_rules_hold() {
    Rules.noJavaUtilLogging().check(MAIN);
    Rules.everyPackageNullMarked().check(MAIN);
    Rules.nothingPublicInInternalPackages().check(MAIN);
    Rules.noSynchronizedMethods().check(MAIN);
    Rules.unitTestsDoNotSleep().check(Rules.unitTestClasses());
  }

  @Test
  void source_files_stay_short() throws IOException {
    assertThat(SourceLength.longerThan(SourceLength.MAIN, Path.of("src/main"))).isEmpty();
    assertThat(SourceLength.longerThan(SourceLength.TEST, Path.of("src/test"))).isEmpty();
  }

  @Test
  void everything_that_users_see_is_documented(@TempDir Path output) throws IOException {
    assertThat(Documentation.missing(Path.of("src/main/java"), output)).isEmpty();
  }
}
