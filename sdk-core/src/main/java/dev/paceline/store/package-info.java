/** Where schedules live. */
@NullMarked
package dev.paceline.store;

import org.jspecify.annotations.NullMarked;
