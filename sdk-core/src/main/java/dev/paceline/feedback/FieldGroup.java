package dev.paceline.feedback;

import dev.paceline.feedback.QuotaFields.Counter;
import dev.paceline.feedback.QuotaFields.Policy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one group: several generations of names for the same windows. The newest generation
 * that tells a window stands; the older ones say the same again, less exactly.
 */
final class FieldGroup {

  private static final int MAX_JOINED = 16_384;
  private static final int DRAFT_06 = 1;
  private static final int X_RATELIMIT = 2;
  private static final int MAX_RANK = 5;

  final String name;
  private final List<WindowSlot> slots = new ArrayList<>(2);
  private @Nullable StringBuilder quota;
  private @Nullable StringBuilder policy;

  FieldGroup(String name) {
    this.name = name;
  }

  void addQuota(String line) {
    quota = joined(quota, line);
  }

  void addPolicy(String line) {
    policy = joined(policy, line);
  }

  /** The lines of one structured field are one value (RFC 9651 section 4.2). */
  private static StringBuilder joined(@Nullable StringBuilder lines, String line) {
    if (lines == null) {
      return new StringBuilder(line);
    }
    // What does not fit is left out with its comma kept: the field is then malformed.
    boolean fits = lines.length() + line.length() <= MAX_JOINED;
    return fits ? lines.append(", ").append(line) : lines.append(",");
  }

  /** Adds a value of a field that has a header of its own; returns whether there was room. */
  boolean add(HeaderField row, String word, String value) {
    String window = Words.window(row, word);
    for (WindowSlot slot : slots) {
      if (slot.isFor(row, window)) {
        slot.add(row.meaning(), value);
        return true;
      }
    }
    if (slots.size() == Reading.MAX_WINDOWS) {
      return false;
    }
    WindowSlot slot = new WindowSlot(row, window, Words.unit(row, word), Words.length(row, word));
    slot.add(row.meaning(), value);
    slots.add(slot);
    return true;
  }

  void report(WindowSink sink, Instant reference, @Nullable String bucket) {
    List<Policy> policies = policy == null ? List.of() : parsedPolicies(policy, sink);
    int before = sink.size();
    if (quota != null) {
      reportCounters(quota.toString(), policies, sink);
    }
    for (int rank = 0; rank <= MAX_RANK && sink.size() == before; rank++) {
      for (WindowSlot slot : slots) {
        if (slot.row.rank() == rank) {
          boolean named = rank == X_RATELIMIT && name.equals(StandardDialect.CURRENT);
          slot.report(sink, reference, named ? bucket : null, policies);
        }
      }
      if (rank == DRAFT_06 || sink.size() > before) {
        policies.stream().filter(each -> !sink.isClaimed(each)).forEach(sink::add);
        policies = List.of();
      }
    }
    policies.stream().filter(each -> !sink.isClaimed(each)).forEach(sink::add);
  }

  private static List<Policy> parsedPolicies(CharSequence text, WindowSink sink) {
    List<Policy> policies = QuotaFields.policies(text.toString());
    if (policies == null) {
      sink.ignore();
      return List.of();
    }
    return policies;
  }

  private static void reportCounters(String text, List<Policy> policies, WindowSink sink) {
    List<Counter> counters = QuotaFields.counters(text);
    if (counters == null) {
      sink.ignore();
      return;
    }
    for (Counter counter : counters) {
      Policy own = QuotaFields.policyOf(counter, policies);
      if (own != null) {
        sink.claim(own);
      }
      long limit = counter.limit() >= 0 || own == null ? counter.limit() : own.quota();
      sink.add(
          new QuotaWindow(
              counter.name() == null ? "default" : counter.name(),
              WindowSink.number(limit),
              WindowSink.number(counter.remaining()),
              WindowSink.duration(counter.resetMillis()),
              WindowSink.duration(own == null ? QuotaFields.UNTOLD : own.windowMillis()),
              own == null ? QuotaWindow.REQUESTS : own.unit()));
    }
  }
}
