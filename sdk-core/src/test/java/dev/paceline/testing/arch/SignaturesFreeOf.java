package dev.paceline.testing.arch;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.properties.HasModifiers;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * No public or protected member, supertype, type argument or thrown exception is of one of the
 * packages.
 */
final class SignaturesFreeOf extends ArchCondition<JavaClass> {
  private final List<String> packages;

  SignaturesFreeOf(String... packages) {
    super("have public and protected signatures free of " + String.join(", ", packages));
    this.packages = List.of(packages);
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    if (!visible(type)) {
      return;
    }
    Stream<JavaType> supertypes =
        Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream());
    report(type, type.getFullName(), supertypes, events);
    type.getFields().stream()
        .filter(SignaturesFreeOf::visible)
        .forEach(field -> report(type, field.getFullName(), Stream.of(field.getType()), events));
    type.getCodeUnits().stream()
        .filter(SignaturesFreeOf::visible)
        .forEach(unit -> report(type, unit.getFullName(), named(unit), events));
  }

  private static boolean visible(HasModifiers member) {
    Set<JavaModifier> modifiers = member.getModifiers();
    return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
        && !modifiers.contains(JavaModifier.SYNTHETIC);
  }

  private static Stream<JavaType> named(JavaCodeUnit unit) {
    Stream<JavaType> thrown = unit.getExceptionTypes().stream().map(JavaType.class::cast);
    return Stream.of(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream(), thrown)
        .flatMap(types -> types);
  }

  private void report(
      JavaClass owner, String where, Stream<JavaType> types, ConditionEvents events) {
    types
        .flatMap(type -> type.getAllInvolvedRawTypes().stream())
        .filter(raw -> packages.stream().anyMatch(raw.getPackageName()::startsWith))
        .distinct()
        .forEach(
            raw ->
                events.add(
                    SimpleConditionEvent.violated(
                        owner, where + " names " + raw.getFullName() + " to its users")));
  }
}
