/** Measurements beside other libraries. */
@NullMarked
package dev.paceline.benchmarks;

import org.jspecify.annotations.NullMarked;
