/** The only door to clocks, parking and timers. */
@NullMarked
package dev.paceline.time;

import org.jspecify.annotations.NullMarked;
