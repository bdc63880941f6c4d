package dev.paceline.retry;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * What retries may cost: one for each upstream in each process. Thread-safe, never blocks for long.
 *
 * <p>A success deposits {@code ratio} tokens and a retry costs 1, so that in the long run retries
 * add at most {@code ratio} to the load of an upstream, however many callers retry. The balance
 * starts at 10 and holds at most the larger of 10 and what the successes of the last 10 s
 * deposited: a busy upstream may ride out a short failure, an idle day saves up nothing. For
 * services too quiet to earn anything, one retry in {@code 1 / floorPerSecond} is free while the
 * balance is empty; the free ones do not add up either.
 *
 * <p>In {@code t} seconds without a success at most {@code 10 + floorPerSecond * t} retries pass.
 */
public final class RetryBudget {

  /** Whole tokens at the start, and the least that the balance can hold. */
  static final int INITIAL_TOKENS = 10;

  /** Amounts are millionths of a token: a hundred deposits of 0.1 are exactly 10 tokens. */
  private static final long TOKEN = 1_000_000;

  private static final int WINDOW_SECONDS = 10;
  private static final long SECOND = 1_000_000_000;

  private final long deposit;

  /** 0: none, or one in more than 30 years. */
  private final long floorIntervalNanos;

  private final boolean unlimited;
  private final LongSupplier nanoTime;
  private final long origin;
  private final ReentrantLock lock = new ReentrantLock();

  /* Guarded by the lock. */
  private final long[] depositsBySecond = new long[WINDOW_SECONDS];
  private long second;
  private long depositsInWindow;
  private long balance = INITIAL_TOKENS * TOKEN;
  private long nextFree;

  private RetryBudget(
      long deposit, long floorIntervalNanos, boolean unlimited, LongSupplier nanoTime) {
    this.deposit = deposit;
    this.floorIntervalNanos = floorIntervalNanos;
    this.unlimited = unlimited;
    this.nanoTime = nanoTime;
    this.origin = nanoTime.getAsLong();
    this.nextFree = floorIntervalNanos;
  }

  /**
   * A budget.
   *
   * @param ratio tokens a success deposits, 0 to 1,000, kept to a millionth
   * @param floorPerSecond retries a second that need no token, 0 to 1,000
   * @param nanoTime a monotonic clock in nanoseconds
   * @throws IllegalArgumentException if a number is out of range
   */
  public static RetryBudget of(double ratio, double floorPerSecond, LongSupplier nanoTime) {
    requireInRange("ratio", ratio);
    requireInRange("floorPerSecond", floorPerSecond);
    double interval = Math.ceil(SECOND / floorPerSecond);
    return new RetryBudget(
        Math.round(ratio * TOKEN), interval < 1e18 ? (long) interval : 0, false, nanoTime);
  }

  /** A budget that allows every retry: attempts and deadline are then the only bounds. */
  public static RetryBudget unlimited() {
    return new RetryBudget(0, 0, true, () -> 0);
  }

  static void requireInRange(String name, double value) {
    if (!(value >= 0 && value <= 1_000)) {
      throw new IllegalArgumentException(name + " is " + value + "; it must be from 0 to 1000");
    }
  }

  /** A call succeeded: deposits. */
  public void success() {
    if (unlimited || deposit == 0) {
      return;
    }
    lock.lock();
    try {
      roll();
      depositsBySecond[(int) (second % WINDOW_SECONDS)] += deposit;
      depositsInWindow += deposit;
      balance = Math.min(balance + deposit, mostHeld());
    } finally {
      lock.unlock();
    }
  }

  /** Pays for one retry, or says that there is nothing left to pay with. */
  public boolean tryRetry() {
    if (unlimited) {
      return true;
    }
    lock.lock();
    try {
      long elapsed = roll();
      if (balance >= TOKEN) {
        balance -= TOKEN;
        return true;
      }
      if (floorIntervalNanos == 0 || elapsed < nextFree) {
        return false;
      }
      nextFree = elapsed + floorIntervalNanos;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Tokens left; positive infinity for an unlimited budget. */
  public double balance() {
    if (unlimited) {
      return Double.POSITIVE_INFINITY;
    }
    lock.lock();
    try {
      roll();
      return (double) balance / TOKEN;
    } finally {
      lock.unlock();
    }
  }

  private long mostHeld() {
    return Math.max(INITIAL_TOKENS * TOKEN, depositsInWindow);
  }

  /** Moves the window to now and drops what no longer fits; returns the time since the start. */
  private long roll() {
    long elapsed = Math.max(nanoTime.getAsLong() - origin, second * SECOND);
    long now = elapsed / SECOND;
    if (now == second) {
      return elapsed;
    }
    if (now - second >= WINDOW_SECONDS) {
      Arrays.fill(depositsBySecond, 0);
      depositsInWindow = 0;
    } else {
      for (long s = second + 1; s <= now; s++) {
        int slot = (int) (s % WINDOW_SECONDS);
        depositsInWindow -= depositsBySecond[slot];
        depositsBySecond[slot] = 0;
      }
    }
    second = now;
    balance = Math.min(balance, mostHeld());
    return elapsed;
  }
}
