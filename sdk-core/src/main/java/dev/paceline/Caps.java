package dev.paceline;

import dev.paceline.limit.InFlight;
import dev.paceline.store.Group;
import dev.paceline.store.GroupKey;
import dev.paceline.store.Slot;
import dev.paceline.store.Slots;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How many calls may be in flight in the groups of a scope. Thread-safe. */
final class Caps {

  private record Capped(GroupKey group, InFlight limit) {}

  private final Slots slots;
  private final List<Capped> groups;

  private Caps(Slots slots, List<Capped> groups) {
    this.slots = slots;
    this.groups = groups;
  }

  /** Null where none of the groups has a limit: that costs nothing. */
  static @Nullable Caps of(
      Slots slots, List<Group> groups, Function<GroupKey, Optional<InFlight>> inFlight) {
    List<Capped> capped = new ArrayList<>();
    for (Group group : groups) {
      inFlight.apply(group.key()).ifPresent(cap -> capped.add(new Capped(group.key(), cap)));
    }
    return capped.isEmpty() ? null : new Caps(slots, List.copyOf(capped));
  }

  Optional<InFlight> of(GroupKey group) {
    return groups.stream().filter(c -> c.group().equals(group)).map(Capped::limit).findFirst();
  }

  /** A slot in each of the groups; empty if one of them has none now. */
  List<Slot> tryTake() {
    List<Slot> taken = new ArrayList<>(groups.size());
    for (Capped capped : groups) {
      Optional<Slot> slot = slots.tryTake(capped.group(), capped.limit());
      if (slot.isEmpty()) {
        taken.forEach(Slot::free);
        return List.of();
      }
      taken.add(slot.get());
    }
    return taken;
  }

  /** The first of the groups that has no slot now, as far as is known here. */
  Optional<GroupKey> full() {
    return groups.stream()
        .filter(c -> slots.available(c.group(), c.limit()) <= 0)
        .map(Capped::group)
        .findFirst();
  }
}
