/** Paceline's schedules shared through Redis. */
@NullMarked
package dev.paceline.redis;

import org.jspecify.annotations.NullMarked;
