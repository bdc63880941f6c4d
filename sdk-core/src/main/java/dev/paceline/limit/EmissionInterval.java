package dev.paceline.limit;

/**
 * The time from one permit to the next, period ÷ permits, as an exact mixed fraction: {@code
 * wholeMicros + remainder ÷ divisor} microseconds. The divisor is permits ÷ gcd(permits, period),
 * so every multiple of the interval, and every sum of multiples and whole microseconds, is a whole
 * number of microseconds plus a remainder over that same divisor: nothing drifts.
 *
 * @param wholeMicros its whole microseconds, at least 0
 * @param remainder what is left over, at least 0 and below the divisor
 * @param divisor the denominator, at least 1
 */
public record EmissionInterval(long wholeMicros, long remainder, long divisor) {

  /** Checks that the fraction is a proper one. */
  public EmissionInterval {
    if (wholeMicros < 0 || divisor < 1 || remainder < 0 || remainder >= divisor) {
      throw new IllegalArgumentException(
          "emission interval %d + %d/%d µs is not a mixed fraction"
              .formatted(wholeMicros, remainder, divisor));
    }
  }

  /** The interval of so many permits in a period; both are at least 1. */
  static EmissionInterval of(long permits, long periodMicros) {
    long gcd = ExactMath.gcd(permits, periodMicros);
    long divisor = permits / gcd;
    long numerator = periodMicros / gcd;
    return new EmissionInterval(numerator / divisor, numerator % divisor, divisor);
  }

  /** This interval, longer by whole microseconds. */
  EmissionInterval plus(long extraMicros) {
    return extraMicros == 0
        ? this
        : new EmissionInterval(wholeMicros + extraMicros, remainder, divisor);
  }

  /** Whether this interval is longer than the other. */
  boolean slowerThan(EmissionInterval other) {
    if (wholeMicros != other.wholeMicros) {
      return wholeMicros > other.wholeMicros;
    }
    return ExactMath.compareProducts(remainder, other.divisor, other.remainder, divisor) > 0;
  }
}
