package dev.paceline.okhttp;

import dev.paceline.Paceline;
import dev.paceline.Permit;
import dev.paceline.Upstream;
import dev.paceline.feedback.HeaderLines;
import dev.paceline.feedback.Profile;
import dev.paceline.feedback.Reading;
import dev.paceline.feedback.ResponseFacts;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import okhttp3.Headers;
import okhttp3.MediaType;
import okhttp3.Response;

/** Reads what responses say about limits, and passes it on. */
final class Readings {

  private Readings() {}

  /** A view on OkHttp's headers; copies nothing. */
  private record Lines(Headers headers) implements HeaderLines {

    @Override
    public int size() {
      return headers.size();
    }

    @Override
    public String name(int index) {
      return headers.name(index);
    }

    @Override
    public String value(int index) {
      return headers.value(index);
    }
  }

  /**
   * Reads the response that the application gets. The start of its body is read only where the
   * provider's profile wants it, and is still there afterwards.
   *
   * @param upstream whose response it is if no request was paid for
   */
  static Reading read(CallProbe probe, Response response, Upstream upstream, Paceline paceline) {
    if (response.networkResponse() == null && response.cacheResponse() != null) {
      return Reading.SILENT;
    }
    Upstream by = probe.upstream();
    Upstream from = by == null ? upstream : by;
    Lines lines = new Lines(response.headers());
    Reading reading =
        from.reader().isSilent(response.code(), lines)
            ? Reading.SILENT
            : from.reader().read(facts(response, lines, body(from, response), paceline));
    return learn(probe, reading);
  }

  /** Reads a response that OkHttp follows up by itself. Its body is not looked at. */
  static void learn(CallProbe probe, Response response, Paceline paceline) {
    Upstream by = probe.upstream();
    if (by != null) {
      Lines lines = new Lines(response.headers());
      learn(probe, by.reader().read(facts(response, lines, Optional.empty(), paceline)));
    }
  }

  private static Reading learn(CallProbe probe, Reading reading) {
    Permit permit = probe.lastPermit();
    Upstream by = probe.upstream();
    if (permit != null && by != null) {
      by.learn(permit.scope(), permit, reading);
    }
    return reading;
  }

  private static ResponseFacts facts(
      Response response, Lines lines, Optional<String> body, Paceline paceline) {
    Instant now = Instant.EPOCH.plus(paceline.time().epochMicros(), ChronoUnit.MICROS);
    return new ResponseFacts(response.code(), lines, now, body);
  }

  private static Optional<String> body(Upstream from, Response response) {
    Profile profile = from.reader().profile();
    if (!profile.readsBody(response.code()) || isStream(response)) {
      return Optional.empty();
    }
    return start(response, profile.bodyBytes());
  }

  /** An endless body must not be waited for. */
  private static boolean isStream(Response response) {
    MediaType type = response.body().contentType();
    return type != null && type.subtype().equals("event-stream");
  }

  /** At most {@code most} bytes of the body as text, which stay readable; empty if it fails. */
  static Optional<String> start(Response response, int most) {
    try {
      return Optional.of(response.peekBody(most).string());
    } catch (IOException e) {
      // Whoever reads the body meets the same failure.
      return Optional.empty();
    }
  }
}
