package dev.paceline.examples;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paceline.event.Event;
import dev.paceline.event.EventListener;
import dev.paceline.time.TimeSource;
import java.io.BufferedWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes events as one JSON object a line: {@code at_ms}, milliseconds since 1970; {@code event};
 * and what belongs to it. Thread-safe.
 */
final class EventFile implements EventListener, AutoCloseable {
  private final TimeSource time;
  private final BufferedWriter file;
  private volatile boolean listening;
  private @Nullable IOException failure;

  private EventFile(TimeSource time, BufferedWriter file) {
    this.time = time;
    this.file = file;
  }

  static EventFile create(Path path, TimeSource time) throws IOException {
    return new EventFile(time, Files.newBufferedWriter(path, StandardCharsets.UTF_8));
  }

  @Override
  public void on(Event event) {
    if (!listening) {
      return;
    }
    ObjectNode line = Json.object().put("at_ms", BigDecimal.valueOf(time.epochMicros(), 3));
    String text = Json.line(told(line, event));
    synchronized (this) {
      try {
        file.write(text);
        file.newLine();
      } catch (IOException e) {
        failure = e;
      }
    }
  }

  /** Writes what happens from now on. */
  void listen() {
    listening = true;
  }

  private static ObjectNode told(ObjectNode line, Event event) {
    if (event instanceof Event.PermitGranted e) {
      return of(line, "permit", e.group()).put("waited_ms", millis(e.waited()));
    } else if (event instanceof Event.WaitBegan e) {
      return of(line, "wait", e.group()).put("expected_ms", millis(e.expected()));
    } else if (event instanceof Event.Attempted e) {
      return line.put("event", "attempt").put("upstream", e.upstream()).put("attempt", e.attempt());
    } else if (event instanceof Event.RetryPlanned e) {
      return line.put("event", "retry")
          .put("upstream", e.upstream())
          .put("attempt", e.attempt())
          .put("delay_ms", millis(e.delay()))
          .put("cause", e.cause());
    } else if (event instanceof Event.RetryRefused e) {
      return line.put("event", "no_retry")
          .put("upstream", e.upstream())
          .put("attempts", e.attempts())
          .put("why", e.why());
    } else if (event instanceof Event.CooldownBegan e) {
      return of(line, "cooldown", e.group())
          .put("lasting_ms", millis(e.lasting()))
          .put("remote", e.remote());
    } else if (event instanceof Event.CooldownCleared e) {
      return of(line, "cooldown_cleared", e.group());
    } else if (event instanceof Event.Refused e) {
      return of(line, "refusal", e.group())
          .put("reason", Conversions.written(e.reason()).replace('-', '_'))
          .put("needed_ms", millis(e.needed()));
    } else {
      return store(line, event);
    }
  }

  private static ObjectNode store(ObjectNode line, Event event) {
    if (event instanceof Event.StoreLost e) {
      return line.put("event", "store_lost").put("cause", e.cause());
    } else if (event instanceof Event.StoreBack e) {
      return line.put("event", "store_back").put("away_ms", millis(e.away()));
    } else if (event instanceof Event.StateLost e) {
      return of(line, "state_lost", e.group());
    } else if (event instanceof Event.StateRepaired e) {
      return of(line, "state_repaired", e.group()).put("what", e.what());
    } else if (event instanceof Event.GuardChanged e) {
      return of(line, "guard", e.group()).put("guard_ms", millis(e.guard()));
    } else if (event instanceof Event.LimitLearned e) {
      return of(line, "limit_learned", e.group()).put("permits_per_second", e.permitsPerSecond());
    }
    return line.put("event", event.getClass().getSimpleName());
  }

  private static ObjectNode of(ObjectNode line, String event, String group) {
    return line.put("event", event).put("group", group);
  }

  private static BigDecimal millis(Duration duration) {
    return BigDecimal.valueOf(TimeUnit.MICROSECONDS.convert(duration), 3);
  }

  /**
   * Ends the file.
   *
   * @throws IOException if not all of it could be written
   */
  @Override
  public synchronized void close() throws IOException {
    file.close();
    if (failure != null) {
      throw failure;
    }
  }
}
