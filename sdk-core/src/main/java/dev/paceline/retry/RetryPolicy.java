package dev.paceline.retry;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * How often, how late and at whose expense calls are repeated. Immutable; one policy serves any
 * number of upstreams, each of which has a budget of its own.
 */
public final class RetryPolicy {
  private static final RetryPolicy STANDARD = builder().build();
  private static final RetryPolicy NONE = builder().maxAttempts(1).build();

  private final int maxAttempts;
  private final FullJitter jitter;
  private final double budgetRatio;
  private final double floorPerSecond;
  private final boolean budgeted;
  private final RetryHook hook;
  private final Supplier<RandomGenerator> random;

  private RetryPolicy(Builder builder) {
    this.maxAttempts = builder.maxAttempts;
    this.jitter = new FullJitter(builder.base, builder.cap, builder.minDelay);
    this.budgetRatio = builder.budgetRatio;
    this.floorPerSecond = builder.floorPerSecond;
    this.budgeted = builder.budgeted;
    this.hook = builder.hook;
    this.random = builder.random;
  }

  /** 4 attempts, full jitter from 500 ms up to 30 s, a budget of 0.1 and a floor of 0.2/s. */
  public static RetryPolicy standard() {
    return STANDARD;
  }

  /** One attempt. */
  public static RetryPolicy none() {
    return NONE;
  }

  /** The settings of {@link #standard}, to be changed. */
  public static Builder builder() {
    return new Builder();
  }

  /** A new budget as this policy wants it. */
  public RetryBudget newBudget(LongSupplier nanoTime) {
    return budgeted
        ? RetryBudget.of(budgetRatio, floorPerSecond, nanoTime)
        : RetryBudget.unlimited();
  }

  /** Attempts for one logical call, the first included. */
  public int maxAttempts() {
    return maxAttempts;
  }

  /** The delays before retries. */
  public FullJitter jitter() {
    return jitter;
  }

  /** The user's own opinion. */
  public RetryHook hook() {
    return hook;
  }

  RandomGenerator random() {
    return random.get();
  }

  /** Collects the settings of a policy; each setter checks what it is given. Not thread-safe. */
  public static final class Builder {
    private int maxAttempts = 4;
    private Duration base = Duration.ofMillis(500);
    private Duration cap = Duration.ofSeconds(30);
    private Duration minDelay = Duration.ofMillis(50);
    private double budgetRatio = 0.1;
    private double floorPerSecond = 0.2;
    private boolean budgeted = true;
    private RetryHook hook = RetryHook.none();
    private Supplier<RandomGenerator> random = ThreadLocalRandom::current;

    private Builder() {}

    /**
     * Attempts for one logical call, the first included.
     *
     * @param maxAttempts 1 or more; 1 is no retry
     */
    public Builder maxAttempts(int maxAttempts) {
      if (maxAttempts < 1) {
        throw new IllegalArgumentException(
            "maxAttempts is " + maxAttempts + "; it must be 1 or more");
      }
      this.maxAttempts = maxAttempts;
      return this;
    }

    /**
     * Delays are drawn from {@code [0, min(cap, base * 2^retries)]}, and at least {@link
     * #minDelay}.
     *
     * @param base more than 0; the bound of the first delay
     * @param cap at least {@code base}
     */
    public Builder fullJitter(Duration base, Duration cap) {
      if (base.isNegative() || base.isZero()) {
        throw new IllegalArgumentException("base is " + base + "; it must be more than 0");
      }
      if (cap.compareTo(base) < 0) {
        throw new IllegalArgumentException(
            "cap is " + cap + "; it must be at least the base, " + base);
      }
      this.base = base;
      this.cap = cap;
      return this;
    }

    /** The least delay where the provider asks for none; 0 or more, a smaller cap wins. */
    public Builder minDelay(Duration minDelay) {
      if (minDelay.isNegative()) {
        throw new IllegalArgumentException("minDelay is " + minDelay + "; it must be 0 or more");
      }
      this.minDelay = minDelay;
      return this;
    }

    /**
     * Retries that one success pays for.
     *
     * @param ratio 0 to 1,000; 0.1 bounds retries to a tenth of the successes
     */
    public Builder budget(double ratio) {
      RetryBudget.requireInRange("ratio", ratio);
      this.budgetRatio = ratio;
      this.budgeted = true;
      return this;
    }

    /** Retries a second that need no budget, 0 to 1,000: for services too quiet to earn any. */
    public Builder floorPerSecond(double floorPerSecond) {
      RetryBudget.requireInRange("floorPerSecond", floorPerSecond);
      this.floorPerSecond = floorPerSecond;
      return this;
    }

    /** Only attempts and deadline bound the retries; an outage multiplies the load. */
    public Builder withoutBudget() {
      this.budgeted = false;
      return this;
    }

    /** The user's own opinion about outcomes. */
    public Builder hook(RetryHook hook) {
      this.hook = hook;
      return this;
    }

    /** Where draws come from; the supplier is called on each caller's thread. */
    public Builder random(Supplier<RandomGenerator> random) {
      this.random = random;
      return this;
    }

    /** The policy. */
    public RetryPolicy build() {
      return new RetryPolicy(this);
    }
  }
}
