/** Where schedules live: in this process, or behind an interface that Redis implements. */
@NullMarked
package dev.paceline.store;

import org.jspecify.annotations.NullMarked;
