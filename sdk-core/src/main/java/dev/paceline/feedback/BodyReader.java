package dev.paceline.feedback;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a profile's rules in the start of a body. What precedes a syntax error, or the cut of a
 * body that is too long, counts: rules name places, so a user's text cannot pass for an error code.
 */
final class BodyReader implements Json.Visitor {

  private final List<BodyRule> rules;
  private final Instant reference;
  private final Set<Verdict> verdicts;
  private Optional<Duration> cooldown = Optional.empty();
  private long waitMillis = Waits.NONE;
  private @Nullable Quantity requested;
  private @Nullable Quantity available;
  private @Nullable Quantity maximum;
  private @Nullable Quantity restoreRate;

  private BodyReader(List<BodyRule> rules, Instant reference, Set<Verdict> verdicts) {
    this.rules = rules;
    this.reference = reference;
    this.verdicts = verdicts;
  }

  /** Reads the body and adds what it means to {@code verdicts} and {@code sink}. */
  static BodyReader read(
      Profile profile,
      int status,
      String body,
      Instant reference,
      Set<Verdict> verdicts,
      WindowSink sink) {
    String text = body.substring(0, Math.min(body.length(), profile.bodyBytes()));
    List<BodyRule> rules = new ArrayList<>(profile.bodyRules().size());
    for (BodyRule rule : profile.bodyRules()) {
      if (!rule.appliesTo(status)) {
        continue;
      }
      rules.add(rule);
    }
    BodyReader reader = new BodyReader(rules, reference, verdicts);
    for (BodyRule rule : rules) {
      if (rule.match() == BodyRule.Match.ELEMENT && hasElement(text, rule)) {
        reader.found(rule);
      }
    }
    Json.visit(text, reader);
    reader.addCost(sink);
    return reader;
  }

  Optional<Duration> cooldown() {
    return cooldown;
  }

  long waitMillis() {
    return waitMillis;
  }

  @Override
  public void scalar(Json cursor) {
    for (BodyRule rule : rules) {
      if (rule.match() == BodyRule.Match.COST) {
        readCost(rule, cursor);
      } else if (cursor.isAt(rule.place()) && matches(rule, cursor.text())) {
        found(rule);
      }
    }
  }

  private boolean matches(BodyRule rule, String text) {
    return switch (rule.match()) {
      case EQUALS -> rule.values().stream().anyMatch(text::equalsIgnoreCase);
      case CONTAINS -> {
        String lower = text.toLowerCase(Locale.ROOT);
        yield rule.values().stream()
            .anyMatch(value -> lower.contains(value.toLowerCase(Locale.ROOT)));
      }
      case EPOCH_AFTER -> rule.values().stream().anyMatch(prefix -> epochAfter(prefix, text));
      case WAIT_SECONDS -> heard(Waits.ofSeconds(Quantity.parse(text)));
      case WAIT_DURATION -> heard(GoDurations.millis(text));
      case ABOVE_LIMIT -> asksTooMuch(text);
      case ELEMENT, COST -> false;
    };
  }

  private boolean epochAfter(String prefix, String text) {
    return text.startsWith(prefix)
        && heard(Waits.reset(text.substring(prefix.length()).strip(), reference));
  }

  private boolean heard(long wait) {
    waitMillis = Math.max(waitMillis, wait);
    return wait != Waits.NONE;
  }

  private void found(BodyRule rule) {
    verdicts.addAll(rule.verdicts());
    if (rule.cooldown().isPresent()
        && (cooldown.isEmpty() || cooldown.get().compareTo(rule.cooldown().get()) < 0)) {
      cooldown = rule.cooldown();
    }
  }

  private static boolean asksTooMuch(String text) {
    String lower = text.substring(0, Math.min(text.length(), 4096)).toLowerCase(Locale.ROOT);
    long limit = numberAfter(lower, "limit");
    return limit >= 0 && numberAfter(lower, "requested") > limit;
  }

  /** Returns the first number that follows the word, perhaps after a sign or space; or -1. */
  private static long numberAfter(String text, String word) {
    int at = text.indexOf(word);
    while (at >= 0) {
      int from = at + word.length();
      while (from < text.length() && " :=".indexOf(text.charAt(from)) >= 0) {
        from++;
      }
      int to = from;
      while (to < text.length() && Ascii.isDigit(text.charAt(to))) {
        to++;
      }
      Quantity number = Quantity.parse(text, from, to);
      if (number != null) {
        return number.whole();
      }
      at = text.indexOf(word, from);
    }
    return -1;
  }

  private static boolean hasElement(String text, BodyRule rule) {
    String open = "<" + rule.place() + ">";
    String close = "</" + rule.place() + ">";
    int start = text.indexOf(open);
    if (start < 0) {
      return false;
    }
    int from = start + open.length();
    int end = text.indexOf(close, from);
    return end >= 0
        && rule.values().stream().anyMatch(text.substring(from, end).strip()::equalsIgnoreCase);
  }

  private void readCost(BodyRule rule, Json cursor) {
    if (!cursor.isWithin(rule.place())) {
      return;
    }
    if (cursor.isKey("requestedQueryCost")) {
      requested = Quantity.parse(cursor.text());
    } else if (cursor.isKey("maximumAvailable")) {
      maximum = Quantity.parse(cursor.text());
    } else if (cursor.isKey("currentlyAvailable")) {
      available = Quantity.parse(cursor.text());
    } else if (cursor.isKey("restoreRate")) {
      restoreRate = Quantity.parse(cursor.text());
    }
  }

  /** A query that was refused for its cost fits when the difference has been restored. */
  private void addCost(WindowSink sink) {
    if (available == null) {
      return;
    }
    if (requested != null && restoreRate != null && restoreRate.whole() > 0) {
      long missing = requested.ceiling() - available.whole();
      if (missing > 0 && verdicts.contains(Verdict.THROTTLED)) {
        long rate = restoreRate.whole();
        heard(Waits.ofMillis(new Quantity((missing * 1000 + rate - 1) / rate, 0)));
      }
    }
    sink.add(
        new QuotaWindow(
            "graphql-cost",
            maximum == null ? Optional.empty() : Optional.of(maximum.toBigDecimal()),
            Optional.of(BigDecimal.valueOf(available.whole())),
            Optional.empty(),
            Optional.empty(),
            "points"));
  }
}
