package dev.paceline.feedback;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The reading of one response, line by line; used once, by one thread. */
final class ResponseReading {

  private static final int MILLIS_NAMES = 3;
  private static final Duration CLOCK_DIFFERENCE = Duration.ofDays(1);

  private final Profile profile;
  private final ResponseFacts facts;
  private final RelevantLines lines;
  private final Instant reference;
  private final boolean cached;
  private final boolean html;

  private final WindowSink sink = new WindowSink();
  private final Set<Verdict> verdicts = EnumSet.noneOf(Verdict.class);
  private final List<FieldGroup> groups = new ArrayList<>(2);
  private final long[] millis = new long[MILLIS_NAMES];
  private long retryAfter = Waits.NONE;
  private long alias = Waits.NONE;
  private long regain = Waits.NONE;
  private @Nullable String bucket;

  ResponseReading(
      Profile profile,
      ResponseFacts facts,
      RelevantLines lines,
      int date,
      int age,
      int contentType) {
    this.profile = profile;
    this.facts = facts;
    this.lines = lines;
    this.cached = age >= 0 && isPositive(facts.headers().value(age));
    this.reference = date >= 0 && !cached ? reference(facts, date) : facts.receivedAt();
    this.html = contentType >= 0 && isHtml(facts.headers().value(contentType));
    Arrays.fill(millis, Waits.NONE);
  }

  private static boolean isPositive(String age) {
    String value = Ascii.clean(age, false);
    Quantity seconds = value == null ? null : Quantity.parse(value);
    return seconds != null && (seconds.whole() > 0 || seconds.nanos() > 0);
  }

  /**
   * A date in a response and its Date field come from one clock, so that the difference of the
   * client's does not matter; a Date more than a day off is not believed.
   */
  private static Instant reference(ResponseFacts facts, int date) {
    String value = Ascii.clean(facts.headers().value(date), false);
    Instant told = value == null ? null : HttpDates.parse(value, facts.receivedAt());
    if (told == null) {
      return facts.receivedAt();
    }
    Duration difference = Duration.between(told, facts.receivedAt()).abs();
    return difference.compareTo(CLOCK_DIFFERENCE) <= 0 ? told : facts.receivedAt();
  }

  private static boolean isHtml(String contentType) {
    String value = Ascii.clean(contentType, false);
    return value != null && value.regionMatches(true, 0, "text/html", 0, 9);
  }

  Reading read() {
    for (int i = 0; i < lines.size(); i++) {
      int index = lines.index(i);
      Dialect.Entry entry = lines.entry(i);
      HeaderField field = entry.field();
      boolean structured =
          field != null
              && (field.meaning() == HeaderMeaning.QUOTA_FIELD
                  || field.meaning() == HeaderMeaning.POLICY_FIELD);
      String value = Ascii.clean(facts.headers().value(index), structured);
      if (value == null) {
        sink.ignore();
        continue;
      }
      if (!entry.signals().isEmpty()) {
        hear(entry.signals(), value);
      }
      if (field != null && !read(field, facts.headers().name(index), value)) {
        sink.ignore();
      }
    }
    for (FieldGroup group : groups) {
      group.report(sink, reference, bucket);
    }
    BodyReader body = readBody();
    return verdict(body);
  }

  private @Nullable BodyReader readBody() {
    if (facts.body().isEmpty() || !profile.readsBody(facts.status())) {
      return null;
    }
    return BodyReader.read(profile, facts.status(), facts.body().get(), reference, verdicts, sink);
  }

  /** Compares without what AWS puts around a code: a namespace before, an address after. */
  private void hear(List<HeaderSignal> signals, String value) {
    int colon = value.indexOf(':');
    String code = colon < 0 ? value : value.substring(0, colon);
    code = code.substring(code.indexOf('#') + 1);
    for (HeaderSignal signal : signals) {
      if (signal.matches(code)) {
        verdicts.add(signal.verdict());
      }
    }
  }

  private boolean read(HeaderField field, String name, String value) {
    return switch (field.meaning()) {
      case WAIT -> {
        long wait = Waits.retryAfter(value, reference);
        retryAfter = Math.max(retryAfter, wait);
        yield wait != Waits.NONE;
      }
      case WAIT_ALIAS -> {
        long wait = Waits.retryAfter(value, reference);
        alias = Math.max(alias, wait);
        yield wait != Waits.NONE;
      }
      case WAIT_MILLIS -> {
        long wait = Waits.ofMillis(Quantity.parse(value));
        int rank = Math.min(field.rank(), MILLIS_NAMES - 1);
        millis[rank] = Math.max(millis[rank], wait);
        yield wait != Waits.NONE;
      }
      case BUCKET_NAME -> {
        bucket = bucket == null ? value : bucket;
        yield value.length() <= Ascii.MAX_SCALAR;
      }
      case SIGNAL, NOTHING -> true;
      default -> cached || readQuota(field, Dialect.word(field, name), value);
    };
  }

  private boolean readQuota(HeaderField field, String word, String value) {
    switch (field.meaning()) {
      case QUOTA_FIELD -> group(field).addQuota(value);
      case POLICY_FIELD -> group(field).addPolicy(value);
      case USED, USED_OF_LIMIT, USED_OF_LIMIT_LIST, REMAINING_LIST, NAMED_COUNTS, QUOTA_LIST -> {
        return ValueForms.read(field, word, value, sink);
      }
      case USAGE_JSON -> {
        long told = UsageJson.read(field, value, sink);
        regain = Math.max(regain, told);
        return told != Long.MIN_VALUE;
      }
      default -> {
        return group(field).add(field, word, value);
      }
    }
    return true;
  }

  private FieldGroup group(HeaderField field) {
    for (FieldGroup group : groups) {
      if (group.name.equals(field.group())) {
        return group;
      }
    }
    FieldGroup group = new FieldGroup(field.group());
    groups.add(group);
    return group;
  }

  private Reading verdict(@Nullable BodyReader body) {
    long wait = waitMillis(body == null ? Waits.NONE : body.waitMillis());
    Refusal refusal = Refusal.judge(profile, facts.status(), wait, sink.windows(), verdicts, html);
    Optional<Duration> fallback = refusal.fallback();
    if (refusal.throttled() && body != null && body.cooldown().isPresent()) {
      fallback = body.cooldown();
    }
    return new Reading(
        WindowSink.duration(wait),
        sink.windows(),
        refusal.throttled(),
        refusal.kind(),
        refusal.scope(),
        verdicts.contains(Verdict.NO_RETRY),
        verdicts.contains(Verdict.KEY_IN_USE),
        fallback,
        Optional.ofNullable(bucket),
        sink.ignored() + lines.left());
  }

  private long waitMillis(long told) {
    long fine = Waits.NONE;
    for (int i = 0; i < MILLIS_NAMES && fine == Waits.NONE; i++) {
      fine = millis[i];
    }
    long standard = agreed(fine, retryAfter);
    long header = standard == Waits.NONE ? alias : standard;
    return Math.max(agreed(told, header), regain);
  }

  /**
   * Of two that differ by a second at most the finer one, as the other is rounded; else the longer.
   */
  private static long agreed(long fine, long coarse) {
    boolean close = fine >= 0 && coarse >= 0 && Math.abs(fine - coarse) <= 1000;
    return close ? fine : Math.max(fine, coarse);
  }
}
