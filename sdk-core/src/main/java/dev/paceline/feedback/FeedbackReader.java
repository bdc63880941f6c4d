package dev.paceline.feedback;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a response says about limits, as the RFCs, the IETF drafts and the providers' own
 * documentation have it. Anything malformed is ignored and counted. Nothing that a server sends can
 * make {@link #read} throw, take more than linear time, or hold more memory than a small multiple
 * of the headers. Immutable and thread-safe.
 */
public final class FeedbackReader {

  private static final FeedbackReader STANDARD =
      new FeedbackReader(Profile.builder("standard").build());

  private final Profile profile;
  private final Dialect dialect;

  /** A set of boxed numbers would allocate one for each look-up. */
  private final BitSet throttleStatuses = new BitSet(600);

  private final BitSet bodyStatuses = new BitSet(600);

  private FeedbackReader(Profile profile) {
    this.profile = profile;
    this.dialect = new Dialect(profile);
    for (int status = 0; status < 1000; status++) {
      bodyStatuses.set(status, profile.readsBody(status));
    }
    throttleStatuses.set(429);
    for (int status : profile.throttleStatuses()) {
      if (status >= 0 && status < 1000) {
        throttleStatuses.set(status);
      }
    }
  }

  /** Returns a reader that is not told who the provider is. */
  public static FeedbackReader standard() {
    return STANDARD;
  }

  /** Returns a reader for the profile's provider; keep it, as building one costs some work. */
  public static FeedbackReader of(Profile profile) {
    return new FeedbackReader(profile);
  }

  /** Returns the profile that this reader follows. */
  public Profile profile() {
    return profile;
  }

  /**
   * Reads a response. A successful response without a header of interest costs one look-up a line
   * and no allocation.
   */
  public Reading read(ResponseFacts facts) {
    HeaderLines headers = facts.headers();
    RelevantLines lines = null;
    int date = -1;
    int age = -1;
    int contentType = -1;
    for (int i = 0; i < headers.size(); i++) {
      Dialect.@Nullable Entry entry = dialect.find(headers.name(i));
      if (entry == null) {
        continue;
      }
      switch (entry.role()) {
        case DATE -> date = date < 0 ? i : date;
        case AGE -> age = age < 0 ? i : age;
        case CONTENT_TYPE -> contentType = i;
        case ROW -> {
          lines = lines == null ? new RelevantLines() : lines;
          lines.add(i, entry);
        }
      }
    }
    if (lines == null && !isOfInterest(facts)) {
      return Reading.SILENT;
    }
    return new ResponseReading(
            profile, facts, lines == null ? new RelevantLines() : lines, date, age, contentType)
        .read();
  }

  /**
   * Whether {@link #read} would find {@link Reading#SILENT}, whatever the time and the body: costs
   * one look-up a line, and spares the caller who has no use for facts to gather them.
   */
  public boolean isSilent(int status, HeaderLines headers) {
    if (isThrottle(status) || readsBody(status)) {
      return false;
    }
    for (int i = 0; i < headers.size(); i++) {
      Dialect.@Nullable Entry entry = dialect.find(headers.name(i));
      if (entry != null && entry.role() == Dialect.Role.ROW) {
        return false;
      }
    }
    return true;
  }

  private boolean isOfInterest(ResponseFacts facts) {
    int status = facts.status();
    return isThrottle(status) || (facts.body().isPresent() && readsBody(status));
  }

  private boolean readsBody(int status) {
    return status >= 0 && bodyStatuses.get(status);
  }

  private boolean isThrottle(int status) {
    return status >= 0 && throttleStatuses.get(status);
  }
}
