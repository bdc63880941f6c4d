/** A fleet under load while its Redis fails in each of the ways that a Redis fails. */
@NullMarked
package dev.paceline.benchmarks.outage;

import org.jspecify.annotations.NullMarked;
