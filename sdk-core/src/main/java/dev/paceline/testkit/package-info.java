/** A virtual clock, scheduler and recorder for users' own tests. */
@NullMarked
package dev.paceline.testkit;

import org.jspecify.annotations.NullMarked;
