/** The pacer: waiting callers, turns, priorities, deadlines, cancellation. */
@NullMarked
package dev.paceline.pace;

import org.jspecify.annotations.NullMarked;
