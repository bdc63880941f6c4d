/** The command {@code paceline}. */
@NullMarked
package dev.paceline.examples;

import org.jspecify.annotations.NullMarked;
