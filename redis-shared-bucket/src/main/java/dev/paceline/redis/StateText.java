package dev.paceline.redis;

import dev.paceline.limit.LimitState;
import dev.paceline.limit.Snapshot;
import java.util.ArrayList;
import java.util.List;

/**
 * A stored state, read from its text; the form is described in {@code state.lua}. Instants are
 * microseconds of Redis' clock.
 *
 * @param generation raised by whatever lowers the state
 * @param written when it was written
 * @param state what was charged
 * @param cooldownMicros how long a cooldown still lasted then; 0 for none
 * @param guardMicros the guard
 */
record StateText(
    long generation, long written, Snapshot state, long cooldownMicros, long guardMicros) {

  /**
   * Reads a text strictly.
   *
   * @throws IllegalArgumentException if it is not a state
   */
  static StateText parse(String text) {
    int extras = text.indexOf(';');
    Cursor cursor = new Cursor(extras < 0 ? text : text.substring(0, extras));
    long generation = cursor.number();
    long written = cursor.next(' ').number();
    List<LimitState> limits = new ArrayList<>(2);
    cursor.next(' ');
    do {
      limits.add(limit(cursor, written));
    } while (cursor.skip('|'));
    cursor.end();
    long cooldown = 0;
    long guard = 0;
    for (int at = extras; at >= 0; at = text.indexOf(';', at + 1)) {
      if (text.startsWith(";c", at)) {
        cooldown = extra(text, at);
      } else if (text.startsWith(";u", at)) {
        guard = extra(text, at);
      }
    }
    if (generation < 1 || written < 0 || cooldown < 0 || guard < 0) {
      throw new IllegalArgumentException("a state with an impossible number: " + text);
    }
    return new StateText(generation, written, new Snapshot(limits), cooldown, guard);
  }

  private static long extra(String text, int at) {
    int end = text.indexOf(';', at + 1);
    Cursor cursor = new Cursor(text.substring(at + 2, end < 0 ? text.length() : end));
    long value = cursor.number();
    cursor.end();
    return value;
  }

  private static LimitState limit(Cursor cursor, long written) {
    LimitState state;
    if (cursor.skip('n')) {
      state = new LimitState.Unused();
    } else if (cursor.skip('f') || cursor.skip('z')) {
      state = new LimitState.Window(written + cursor.number(), cursor.next(' ').number());
      cursor.next(' ').number();
      cursor.next(' ').number();
    } else if (cursor.skip('s')) {
      state =
          new LimitState.TwoWindows(
              written + cursor.number(), cursor.next(' ').number(), cursor.next(' ').number());
      cursor.next(' ').number();
      cursor.next(' ').number();
    } else if (cursor.skip('l')) {
      state = log(cursor, written);
    } else {
      return arrival(cursor, written);
    }
    if (cursor.skip('/')) {
      arrival(cursor, written);
    }
    return state;
  }

  private static LimitState arrival(Cursor cursor, long written) {
    LimitState state = new LimitState.Arrival(written + cursor.number(), cursor.next(' ').number());
    cursor.next(' ').number();
    cursor.next(' ').number();
    if (cursor.skip('+')) {
      cursor.number();
      cursor.next('/').number();
    }
    if (cursor.skip('~')) {
      cursor.number();
      cursor.next(' ').number();
      cursor.next(' ').number();
      cursor.next(' ').number();
    }
    return state;
  }

  private static LimitState log(Cursor cursor, long written) {
    cursor.number();
    cursor.next(' ');
    List<LimitState.Run> runs = new ArrayList<>();
    long at = written;
    do {
      at += cursor.number();
      runs.add(new LimitState.Run(at, cursor.next(':').number()));
    } while (cursor.skip(','));
    return new LimitState.Log(runs);
  }

  /** Reads characters from left to right. */
  private static final class Cursor {
    private static final int MOST_DIGITS = 17;

    private final String text;
    private int at;

    Cursor(String text) {
      this.text = text;
    }

    boolean skip(char expected) {
      if (at < text.length() && text.charAt(at) == expected) {
        at++;
        return true;
      }
      return false;
    }

    Cursor next(char expected) {
      if (!skip(expected)) {
        throw wrong();
      }
      return this;
    }

    long number() {
      boolean negative = skip('-');
      long value = 0;
      int first = at;
      while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
        value = value * 10 + (text.charAt(at++) - '0');
        if (at - first > MOST_DIGITS) {
          throw wrong();
        }
      }
      if (at == first) {
        throw wrong();
      }
      return negative ? -value : value;
    }

    void end() {
      if (at < text.length()) {
        throw wrong();
      }
    }

    private IllegalArgumentException wrong() {
      String shown = text.length() > 80 ? text.substring(0, 80) + "..." : text;
      return new IllegalArgumentException(
          "no state of a group, at character " + (at + 1) + ": " + shown);
    }
  }
}
