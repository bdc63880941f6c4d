package dev.paceline.testing.arch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.paceline.testing.arch.fixture.high.High;
import dev.paceline.testing.arch.fixture.internal.Exposed;
import dev.paceline.testing.arch.fixture.low.Low;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows that each rule finds a class that breaks it. */
class RulesTest {
  private static final String FIXTURE = "dev.paceline.testing.arch.fixture";

  @TempDir Path folder;

  @Test
  void package_order_finds_a_dependency_on_a_later_package() {
    assertBreaks(PackageOrder.of(FIXTURE + ".low", FIXTURE + ".high"), "Low.upwards", Low.class);
    assertKeeps(PackageOrder.of(FIXTURE + ".high", FIXTURE + ".low"), Low.class, High.class);
  }

  @Test
  void package_order_finds_a_package_that_it_does_not_know() {
    assertBreaks(PackageOrder.of(FIXTURE + ".high"), "Low is in no listed package", Low.class);
  }

  @Test
  void clock_and_sleep_outside_the_time_package_are_found() {
    ArchRule rule = Rules.timeOnlyIn("dev.paceline.time");
    assertBreaks(rule, "System.nanoTime", Low.class);
    assertBreaks(rule, "Instant.now", Low.class);
    assertBreaks(rule, "Thread.sleep", Low.class);
    assertKeeps(Rules.timeOnlyIn(FIXTURE + ".low"), Low.class);
  }

  @Test
  void signature_of_a_foreign_library_is_found_even_as_a_type_argument() {
    ArchRule rule = Rules.signaturesFreeOf("dev.failsafe");
    assertBreaks(rule, "Low.leaked() names dev.failsafe.RetryPolicy", Low.class);
    assertThatThrownBy(() -> rule.check(imported(Low.class)))
        .hasMessageNotContaining("Low.hidden()");
    assertKeeps(rule, High.class);
  }

  @Test
  void other_logging_unmarked_packages_and_monitors_are_found() {
    assertBreaks(Rules.noJavaUtilLogging(), "java.util.logging.Logger", Low.class);
    assertBreaks(Rules.everyPackageNullMarked(), "not @NullMarked", High.class);
    assertBreaks(Rules.noSynchronizedMethods(), "Low.sleeps()", Low.class);
    assertBreaks(Rules.nothingPublicInInternalPackages(), "Exposed", Exposed.class);
  }

  @Test
  void sleeping_test_is_found() {
    assertBreaks(Rules.unitTestsDoNotSleep(), "Thread.sleep", SleepyTest.class);
  }

  @Test
  void longer_file_is_found() throws IOException {
    Files.writeString(folder.resolve("Short.java"), "1\n2\n");
    Files.writeString(folder.resolve("Long.java"), "1\n2\n3\n");

    assertThat(SourceLength.longerThan(2, folder))
        .containsExactly("3 " + folder.resolve("Long.java"));
  }

  @Test
  void undocumented_method_is_found_and_a_missing_tag_is_not_asked_for() throws IOException {
    Path source = Files.createDirectories(folder.resolve("in")).resolve("Told.java");
    Files.writeString(
        source,
        """
        /** Has a comment. */
        public interface Told {
          /** The sum. */
          int sum(int a, int b);

          int untold();
        }
        """);

    assertThat(Documentation.missing(source.getParent(), folder)).containsExactly("Told.java:6");
  }

  private static void assertBreaks(ArchRule rule, String found, Class<?>... classes) {
    assertThatThrownBy(() -> rule.check(imported(classes)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(found);
  }

  private static void assertKeeps(ArchRule rule, Class<?>... classes) {
    assertThatCode(() -> rule.check(imported(classes))).doesNotThrowAnyException();
  }

  private static JavaClasses imported(Class<?>... classes) {
    return new ClassFileImporter().importClasses(classes);
  }

  /** Not run: it has no test. */
  static final class SleepyTest {
    static void waits() throws InterruptedException {
      Thread.sleep(1);
    }
  }
}
