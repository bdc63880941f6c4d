/** Pure arithmetic of limits: no clock, no lock, no I/O. */
@NullMarked
package dev.paceline.limit;

import org.jspecify.annotations.NullMarked;
