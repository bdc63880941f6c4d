package dev.paceline.feedback;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Percentages used, in JSON inside a header, as Meta sends them: {@code {"call_count":28,…}}, or
 * {@code {"<id>":[{"type":"pages","call_count":28,…}]}} with the minutes until access is regained.
 * Nothing is reported unless the whole text is well-formed.
 */
final class UsageJson implements Json.Visitor {

  private static final List<String> NAMES = List.of("call_count", "total_time", "total_cputime");

  private final HeaderField row;
  private final List<QuotaWindow> found = new ArrayList<>(3);
  private final @Nullable BigDecimal[] used = new @Nullable BigDecimal[NAMES.size()];
  private @Nullable BigDecimal account;
  private long accountReset = Waits.NONE;
  private String type = "";
  private int depth;
  private long regainMillis = Waits.NONE;

  private UsageJson(HeaderField row) {
    this.row = row;
  }

  /**
   * Adds the windows that the value tells.
   *
   * @return the wait until access is regained in milliseconds, {@link Waits#NONE} if none is told,
   *     or {@link Long#MIN_VALUE} if the value is malformed
   */
  static long read(HeaderField row, String value, WindowSink sink) {
    UsageJson usage = new UsageJson(row);
    if (!Json.visit(value, usage) || usage.found.isEmpty()) {
      return Long.MIN_VALUE;
    }
    usage.found.forEach(sink::add);
    return usage.regainMillis;
  }

  @Override
  public void scalar(Json cursor) {
    depth = cursor.depth();
    if (cursor.isString()) {
      if (cursor.isKey("type")) {
        type = cursor.text();
      }
      return;
    }
    for (int i = 0; i < used.length; i++) {
      if (cursor.isKey(NAMES.get(i))) {
        used[i] = percent(cursor);
        return;
      }
    }
    if (cursor.isKey("acc_id_util_pct")) {
      account = percent(cursor);
    } else if (cursor.isKey("reset_time_duration")) {
      accountReset = Waits.ofSeconds(Quantity.parse(cursor.text()));
    } else if (cursor.isKey("estimated_time_to_regain_access")) {
      // Zero means that access is not lost.
      long wait = minutes(Quantity.parse(cursor.text()));
      regainMillis = wait > 0 ? Math.max(regainMillis, wait) : regainMillis;
    }
  }

  private static @Nullable BigDecimal percent(Json cursor) {
    Quantity number = Quantity.parse(cursor.text());
    return number == null ? null : number.toBigDecimal();
  }

  private static long minutes(@Nullable Quantity number) {
    if (number == null || number.whole() > Waits.MAX_MILLIS) {
      return Waits.NONE;
    }
    long part = (number.nanos() * 60L + 999_999_999L) / 1_000_000_000L;
    return Waits.ofSeconds(new Quantity(number.whole() * 60 + part, 0));
  }

  @Override
  public void endObject(Json cursor) {
    if (cursor.depth() != depth || found.size() >= Reading.MAX_WINDOWS) {
      forget();
      return;
    }
    if (account != null) {
      Optional<Duration> reset = WindowSink.duration(accountReset);
      found.add(WindowSink.percentage(row.window(), account, reset, Optional.empty()));
    }
    String prefix = prefix(cursor.path());
    for (int i = 0; i < used.length; i++) {
      BigDecimal percent = used[i];
      if (percent != null && !prefix.isEmpty()) {
        found.add(
            WindowSink.percentage(
                prefix + NAMES.get(i),
                percent,
                Optional.empty(),
                WindowSink.duration(Words.length(row, ""))));
      }
    }
    forget();
  }

  /** Returns the name before the count's; empty where the shape is not one of the two. */
  private String prefix(String path) {
    if (row.window().equals("*")) {
      boolean listed = path.endsWith("[]") && path.length() > 2 && path.indexOf('.') < 0;
      return listed ? path.substring(0, path.length() - 2) + ":" + type + ":" : "";
    }
    return path.isEmpty() ? row.window() + ":" : "";
  }

  private void forget() {
    used[0] = null;
    used[1] = null;
    used[2] = null;
    account = null;
    accountReset = Waits.NONE;
    type = "";
    depth = 0;
  }
}
