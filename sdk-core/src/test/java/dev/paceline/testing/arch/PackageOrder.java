package dev.paceline.testing.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;

/** Each package, with its subpackages, depends only on those that stand before it in a list. */
final class PackageOrder extends ArchCondition<JavaClass> {
  private final List<String> order;

  private PackageOrder(List<String> order) {
    super("depend only on packages that come earlier in " + order);
    this.order = order;
  }

  static ArchRule of(String... packages) {
    return classes().should(new PackageOrder(List.of(packages)));
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    if (type.getPackageName().isEmpty()) {
      return; // the module descriptor
    }
    int own = rank(type.getPackageName());
    if (own < 0) {
      events.add(
          SimpleConditionEvent.violated(type, type.getFullName() + " is in no listed package"));
      return;
    }
    for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
      if (rank(dependency.getTargetClass().getPackageName()) > own) {
        events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
      }
    }
  }

  /** The place of the longest listed package that holds this one; -1 if none does. */
  private int rank(String packageName) {
    int best = -1;
    for (int i = 0; i < order.size(); i++) {
      String candidate = order.get(i);
      boolean holds = packageName.equals(candidate) || packageName.startsWith(candidate + ".");
      if (holds && (best < 0 || candidate.length() > order.get(best).length())) {
        best = i;
      }
    }
    return best;
  }
}
