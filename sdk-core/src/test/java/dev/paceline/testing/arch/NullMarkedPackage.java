package dev.paceline.testing.arch;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

/** The package of the class says {@link NullMarked}. */
final class NullMarkedPackage extends ArchCondition<JavaClass> {
  NullMarkedPackage() {
    super("be in a null-marked package");
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    boolean marked =
        type.getPackage()
            .tryGetPackageInfo()
            .map(info -> info.isAnnotatedWith(NullMarked.class))
            .orElse(false);
    if (!marked && !type.getSimpleName().equals("module-info")) {
      events.add(
          SimpleConditionEvent.violated(
              type, type.getFullName() + " is in a package that is not @NullMarked"));
    }
  }
}
