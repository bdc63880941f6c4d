/** Long runs with faults drawn from a seed. */
@NullMarked
package dev.paceline.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
