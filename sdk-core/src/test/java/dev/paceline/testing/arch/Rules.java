package dev.paceline.testing.arch;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.Set;

/**
 * Rules for the shape of the code that more than one module keeps. Each module's tests check them.
 */
public final class Rules {
  private static final Set<String> CLOCK_READS =
      Set.of("java.lang.System.nanoTime", "java.lang.System.currentTimeMillis");
  private static final Set<String> WAITS =
      Set.of(
          "java.lang.Thread.sleep",
          "java.lang.Thread.onSpinWait",
          "java.lang.Thread.yield",
          "java.lang.Object.wait",
          "java.util.concurrent.TimeUnit.sleep",
          "java.util.concurrent.CompletableFuture.orTimeout",
          "java.util.concurrent.CompletableFuture.completeOnTimeout",
          "java.util.concurrent.CompletableFuture.delayedExecutor");

  private Rules() {}

  /** What the module's {@code src/main} was compiled to. */
  public static JavaClasses mainClasses() {
    return new ClassFileImporter().importPath(Path.of("target", "classes"));
  }

  /** What the module's {@code src/test} was compiled to, less those that break rules on purpose. */
  public static JavaClasses unitTestClasses() {
    return new ClassFileImporter()
        .withImportOption(location -> !location.contains("/testing/arch/"))
        .importPath(Path.of("target", "test-classes"));
  }

  /** Clocks, sleeping, parking and timers are reached through one package. */
  public static ArchRule timeOnlyIn(String timePackage) {
    DescribedPredicate<JavaAccess<?>> clock =
        describe(
            "a clock or a wait",
            access -> {
              String target = access.getTargetOwner().getFullName() + "." + access.getName();
              return CLOCK_READS.contains(target) || WAITS.contains(target) || isNow(access);
            });
    return noClasses()
        .that()
        .resideOutsideOfPackage(timePackage + "..")
        .should()
        .accessTargetWhere(clock)
        .orShould()
        .dependOnClassesThat(isTimer())
        .allowEmptyShould(true)
        .because("a test that cannot set the time has to wait for it");
  }

  private static boolean isNow(JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    return (owner.getPackageName().equals("java.time") && access.getName().equals("now"))
        || (owner.getFullName().equals("java.time.Clock") && access.getName().startsWith("system"));
  }

  private static DescribedPredicate<JavaClass> isTimer() {
    return describe(
        "a timer or a parking lot",
        type ->
            Set.of(
                    "java.util.Timer",
                    "java.util.concurrent.locks.LockSupport",
                    "java.util.concurrent.ScheduledExecutorService",
                    "java.util.concurrent.ScheduledThreadPoolExecutor",
                    "java.util.concurrent.ScheduledFuture")
                .contains(type.getFullName()));
  }

  /** Logs go through slf4j. */
  public static ArchRule noJavaUtilLogging() {
    return noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("java.util.logging..")
        .orShould()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .allowEmptyShould(true);
  }

  /** No type, and no member of one, leads a user to a class that is not for users. */
  public static ArchRule nothingPublicInInternalPackages() {
    return noClasses()
        .that()
        .resideInAPackage("..internal..")
        .should()
        .bePublic()
        .allowEmptyShould(true);
  }

  /** Every package with a class in it is null-marked. */
  public static ArchRule everyPackageNullMarked() {
    return classes().should(new NullMarkedPackage());
  }

  /** No public or protected signature names a type of those packages. */
  public static ArchRule signaturesFreeOf(String... packages) {
    return classes().should(new SignaturesFreeOf(packages)).allowEmptyShould(true);
  }

  /** A monitor held while a virtual thread waits pins its carrier on JDK 21 to 23. */
  public static ArchRule noSynchronizedMethods() {
    return noMethods().should().haveModifier(JavaModifier.SYNCHRONIZED).allowEmptyShould(true);
  }

  /** Unit tests run in virtual time; only a test named {@code IT} may sleep. */
  public static ArchRule unitTestsDoNotSleep() {
    return noClasses()
        .that()
        .haveSimpleNameEndingWith("Test")
        .should()
        .callMethodWhere(
            describe(
                "Thread.sleep or TimeUnit.sleep",
                call ->
                    call.getName().equals("sleep")
                        && Set.of("java.lang.Thread", "java.util.concurrent.TimeUnit")
                            .contains(call.getTargetOwner().getFullName())))
        .allowEmptyShould(true);
  }
}
