/** Paceline's facade: the builder that an application meets, and its exceptions. */
@NullMarked
package dev.paceline;

import org.jspecify.annotations.NullMarked;
