package dev.paceline.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import dev.paceline.testing.arch.Rules;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ModuleTest {
  private static final ModuleDescriptor MODULE =
      ModuleFinder.of(Path.of("target", "classes"))
          .find("dev.paceline.core")
          .orElseThrow()
          .descriptor();

  @Test
  void module_exports_every_package_with_a_public_type_but_the_pacer() {
    Set<String> exported =
        MODULE.exports().stream().map(ModuleDescriptor.Exports::source).collect(Collectors.toSet());
    Set<String> published =
        Rules.mainClasses().stream()
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .map(JavaClass::getPackageName)
            .filter(name -> !name.equals("dev.paceline.pace"))
            .collect(Collectors.toSet());

    assertThat(exported).as("exports in module-info.java").isEqualTo(published);
  }

  @Test
  void users_need_no_module_that_they_do_not_see() {
    Set<String> transitive =
        MODULE.requires().stream()
            .filter(requires -> requires.modifiers().contains(Requires.Modifier.TRANSITIVE))
            .map(Requires::name)
            .collect(Collectors.toSet());

    assertThat(transitive).containsExactly("org.jspecify");
  }
}
