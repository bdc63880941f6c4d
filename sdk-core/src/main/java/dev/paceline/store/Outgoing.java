package dev.paceline.store;

import org.jspecify.annotations.Nullable;

/**
 * A {@link Change} that still has to be told, with instants on this process's ticker: what it says
 * in durations is only known when it is sent.
 */
sealed interface Outgoing {

  /** As it is to be sent now; null if it has become meaningless. */
  @Nullable Change at(long now);

  /**
   * What is to be sent again after a command that failed, and may have been executed all the same;
   * null for nothing. Saying it twice must never give anything back, and cost little.
   */
  @Nullable Outgoing again();

  /** Nobody calls before {@code until}; said twice it is the same. */
  record Cool(long until) implements Outgoing {
    @Override
    public @Nullable Change at(long now) {
      return until - now <= 0 ? null : new Change.Cooldown((until - now + 999) / 1_000);
    }

    @Override
    public Outgoing again() {
      return this;
    }
  }

  /** The cooldown ends. */
  record Clear() implements Outgoing {
    @Override
    public Change at(long now) {
      return new Change.ClearCooldown();
    }

    @Override
    public Outgoing again() {
      return this;
    }
  }

  /** The schedule moves; not repeated, since it would move twice. */
  record Late(long micros) implements Outgoing {
    @Override
    public Change at(long now) {
      return new Change.Late(micros);
    }

    @Override
    public @Nullable Outgoing again() {
      return null;
    }
  }

  /** A correction; only what charges more is repeated. */
  record Settle(long start, long[] delta) implements Outgoing {
    @Override
    public Change at(long now) {
      return new Change.Settle(Math.floorDiv(now - start, 1_000L), delta);
    }

    @Override
    public @Nullable Outgoing again() {
      boolean charges = false;
      long[] more = new long[delta.length];
      for (int i = 0; i < delta.length; i++) {
        more[i] = Math.max(0, delta[i]);
        charges |= more[i] > 0;
      }
      return charges ? new Settle(start, more) : null;
    }
  }

  /** At most so many permits of a limit until an instant. */
  record Slow(int limit, long permits, long until) implements Outgoing {
    @Override
    public @Nullable Change at(long now) {
      return until - now < 1_000 ? null : new Change.Slow(limit, permits, (until - now) / 1_000);
    }

    @Override
    public Outgoing again() {
      return this;
    }
  }

  /** The guard. */
  record Guard(long micros) implements Outgoing {
    @Override
    public Change at(long now) {
      return new Change.Guard(micros);
    }

    @Override
    public Outgoing again() {
      return this;
    }
  }
}
