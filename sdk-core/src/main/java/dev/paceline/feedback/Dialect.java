package dev.paceline.feedback;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The header rows of a profile and of the standard, laid out for look-up by name: without regard to
 * ASCII case, without allocation, in time linear in the name. Immutable.
 */
final class Dialect {

  /** What a line is to a reading: one of the three that every reading needs, or a row's. */
  enum Role {
    DATE,
    AGE,
    CONTENT_TYPE,
    ROW
  }

  /** What is known of a header name. */
  record Entry(String name, Role role, @Nullable HeaderField field, List<HeaderSignal> signals) {}

  private final @Nullable Entry[] table;
  private final Entry[] patterns;

  /**
   * For the first and third letter of a name the lengths that known names have, one bit each, the
   * last for all longer ones: most lines of a response are passed over without a look at the rest.
   */
  private final long[] lengths = new long[128];

  Dialect(Profile profile) {
    Map<String, Entry> exact = new HashMap<>();
    List<Entry> starred = new ArrayList<>();
    for (Role role : List.of(Role.DATE, Role.AGE, Role.CONTENT_TYPE)) {
      String name = role.name().toLowerCase(Locale.ROOT).replace('_', '-');
      exact.put(name, new Entry(name, role, null, List.of()));
    }
    for (HeaderField field : profile.headers()) {
      addField(exact, starred, field);
    }
    for (HeaderField field : StandardDialect.FIELDS) {
      addField(exact, starred, field);
    }
    for (HeaderSignal signal : profile.signals()) {
      addSignal(exact, signal);
    }
    for (HeaderSignal signal : StandardDialect.SIGNALS) {
      addSignal(exact, signal);
    }
    // At most a third full, so that a miss ends soon.
    table = new @Nullable Entry[Integer.highestOneBit(exact.size() * 3) * 2];
    exact.values().forEach(this::place);
    patterns = starred.toArray(new Entry[0]);
    exact.keySet().forEach(name -> lengths[letters(name)] |= lengthBit(name.length()));
    starred.forEach(this::admit);
  }

  private static void addField(Map<String, Entry> exact, List<Entry> starred, HeaderField field) {
    Entry entry = new Entry(field.header(), Role.ROW, field, List.of());
    if (field.header().indexOf('*') >= 0) {
      starred.add(entry);
    } else {
      exact.putIfAbsent(field.header(), entry);
    }
  }

  private static void addSignal(Map<String, Entry> exact, HeaderSignal signal) {
    String name = signal.header().toLowerCase(Locale.ROOT);
    Entry known = exact.get(name);
    List<HeaderSignal> signals = new ArrayList<>(known == null ? List.of() : known.signals);
    signals.add(signal);
    HeaderField field = known == null ? null : known.field;
    exact.put(name, new Entry(name, Role.ROW, field, List.copyOf(signals)));
  }

  private void admit(Entry pattern) {
    long longer = -lengthBit(pattern.name.length());
    if (pattern.name.indexOf('*') > 2) {
      lengths[letters(pattern.name)] |= longer;
    } else {
      for (int i = 0; i < lengths.length; i++) {
        lengths[i] |= longer;
      }
    }
  }

  private static int letters(String name) {
    int third = name.length() > 2 ? Ascii.lower(name.charAt(2)) : 0;
    return (Ascii.lower(name.charAt(0)) * 7 + third) & 127;
  }

  private static long lengthBit(int length) {
    return 1L << Math.min(length, 63);
  }

  private void place(Entry entry) {
    int slot = hash(entry.name) & (table.length - 1);
    while (table[slot] != null) {
      slot = (slot + 1) & (table.length - 1);
    }
    table[slot] = entry;
  }

  private static int hash(String name) {
    int hash = 0;
    for (int i = 0; i < name.length(); i++) {
      hash = hash * 31 + Ascii.lower(name.charAt(i));
    }
    return hash ^ (hash >>> 15);
  }

  /** Returns what is known of the name, or null. */
  @Nullable Entry find(String name) {
    if (name.isEmpty() || (lengths[letters(name)] & lengthBit(name.length())) == 0) {
      return null;
    }
    int slot = hash(name) & (table.length - 1);
    for (Entry entry = table[slot]; entry != null; entry = table[slot]) {
      if (matches(name, entry.name, 0, entry.name.length(), 0)
          && name.length() == entry.name.length()) {
        return entry;
      }
      slot = (slot + 1) & (table.length - 1);
    }
    for (Entry entry : patterns) {
      String pattern = entry.name;
      int star = pattern.indexOf('*');
      int tail = pattern.length() - star - 1;
      if (name.length() >= pattern.length()
          && name.length() <= Ascii.MAX_SCALAR
          && matches(name, pattern, 0, star, 0)
          && matches(name, pattern, star + 1, pattern.length(), name.length() - tail)) {
        return entry;
      }
    }
    return null;
  }

  private static boolean matches(String name, String pattern, int from, int to, int at) {
    if (at < 0 || at + to - from > name.length()) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (Ascii.lower(name.charAt(at + i - from)) != pattern.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the word that a name has in the place of the row's {@code *}, lower case. */
  static String word(HeaderField field, String name) {
    int star = field.header().indexOf('*');
    if (star < 0) {
      return "";
    }
    int tail = field.header().length() - star - 1;
    return name.substring(star, name.length() - tail).toLowerCase(Locale.ROOT);
  }
}
