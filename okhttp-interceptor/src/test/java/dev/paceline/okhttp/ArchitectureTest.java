package dev.paceline.okhttp;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import dev.paceline.testing.arch.Documentation;
import dev.paceline.testing.arch.Rules;
import dev.paceline.testing.arch.SourceLength;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shape of this module; the rules themselves are tested in the core. */
class ArchitectureTest {
  private static final JavaClasses MAIN = Rules.mainClasses();

  @Test
  void module_knows_neither_its_sibling_nor_the_pacer() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.lettuce..",
            "io.netty..",
            "reactor..",
            "dev.paceline.redis..",
            "dev.paceline.pace..")
        .check(MAIN);
  }

  @Test
  void signatures_name_no_library_but_the_one_served() {
    Rules.signaturesFreeOf("io.lettuce", "dev.failsafe", "com.github.benmanes", "org.slf4j")
        .check(MAIN);
  }

  @Test
  void common_rules_hold() {
    Rules.timeOnlyIn("dev.paceline.time").check(MAIN);
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
