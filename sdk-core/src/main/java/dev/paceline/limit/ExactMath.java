package dev.paceline.limit;

/** Whole-number arithmetic that neither rounds nor overflows unseen. */
final class ExactMath {
  /** Up to here a double holds every whole number, and so does the arithmetic of a Redis script. */
  static final long MAX_EXACT = 1L << 53;

  private ExactMath() {}

  /** The greatest common divisor of two numbers that are at least 1. */
  static long gcd(long a, long b) {
    while (b != 0) {
      long rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }

  /** The quotient, rounded up; the dividend may have any sign, the divisor is at least 1. */
  static long ceilDiv(long dividend, long divisor) {
    return -Math.floorDiv(-dividend, divisor);
  }

  /** The product of two numbers that are at least 0, or {@link Long#MAX_VALUE}. */
  static long saturatedProduct(long a, long b) {
    long high = Math.multiplyHigh(a, b);
    long low = a * b;
    return high != 0 || low < 0 ? Long.MAX_VALUE : low;
  }

  /** The sum of two numbers that are at least 0, or {@link Long#MAX_VALUE}. */
  static long saturatedSum(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  /** Compares {@code a·b} with {@code c·d}, all at least 0, in 128 bits. */
  static int compareProducts(long a, long b, long c, long d) {
    int high = Long.compare(Math.multiplyHigh(a, b), Math.multiplyHigh(c, d));
    return high != 0 ? high : Long.compareUnsigned(a * b, c * d);
  }

  /** The later of two instants, by their difference, so that a clock may wrap between them. */
  static long later(long a, long b) {
    return a - b >= 0 ? a : b;
  }
}
