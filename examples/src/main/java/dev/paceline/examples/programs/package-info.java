/** Short programs to copy from, each of which shows one use of Paceline. */
@NullMarked
package dev.paceline.examples.programs;

import org.jspecify.annotations.NullMarked;
