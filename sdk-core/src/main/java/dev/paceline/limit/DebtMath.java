package dev.paceline.limit;

import java.math.BigInteger;

/** Converts the debt of a {@link Gcra}, a time, to permits, exactly. */
final class DebtMath {
  /** Below this many parts of a microsecond nothing overflows. */
  private static final long PLAIN = 1L << 61;

  private DebtMath() {}

  /**
   * The permits that a debt amounts to, rounded up.
   *
   * @param micros its whole microseconds, at least 0
   * @param remainder over the interval's divisor
   */
  static long permits(long micros, long remainder, EmissionInterval interval) {
    if (micros < PLAIN / interval.divisor()) {
      long numerator = interval.wholeMicros() * interval.divisor() + interval.remainder();
      return ExactMath.ceilDiv(micros * interval.divisor() + remainder, numerator);
    }
    return ceil(parts(micros, remainder, interval), numerator(interval))
        .min(BigInteger.valueOf(Long.MAX_VALUE))
        .longValue();
  }

  /**
   * The time that the same debt in permits takes at another interval, as whole microseconds and a
   * remainder over that interval's divisor, rounded up.
   */
  static long[] rescaled(
      long micros, long remainder, EmissionInterval from, EmissionInterval to, long mostMicros) {
    BigInteger divisor = BigInteger.valueOf(to.divisor());
    BigInteger scaled =
        ceil(parts(micros, remainder, from).multiply(numerator(to)), numerator(from));
    BigInteger[] time =
        scaled.min(BigInteger.valueOf(mostMicros).multiply(divisor)).divideAndRemainder(divisor);
    return new long[] {time[0].longValueExact(), time[1].longValueExact()};
  }

  /** In parts of a microsecond, of which there are as many as the divisor. */
  private static BigInteger parts(long micros, long remainder, EmissionInterval interval) {
    return BigInteger.valueOf(micros)
        .multiply(BigInteger.valueOf(interval.divisor()))
        .add(BigInteger.valueOf(remainder));
  }

  private static BigInteger numerator(EmissionInterval interval) {
    return parts(interval.wholeMicros(), interval.remainder(), interval);
  }

  private static BigInteger ceil(BigInteger dividend, BigInteger divisor) {
    return dividend.add(divisor).subtract(BigInteger.ONE).divide(divisor);
  }
}
