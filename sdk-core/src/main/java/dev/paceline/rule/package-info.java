/** Which calls a limit counts. */
@NullMarked
package dev.paceline.rule;

import org.jspecify.annotations.NullMarked;
